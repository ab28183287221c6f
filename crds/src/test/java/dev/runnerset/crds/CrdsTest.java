package dev.runnerset.crds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What {@code kubectl explain} tells of each kind. */
final class CrdsTest {
  private static final String CONDITIONS = "status.conditions";

  @TestFactory
  Stream<DynamicTest> eachFieldIsDescribed() {
    return Crds.documents().stream()
        .map(yaml -> Serialization.unmarshal(yaml, CustomResourceDefinition.class))
        .map(crd ->
            DynamicTest.dynamicTest(
                crd.getSpec().getNames().getKind(),
                () -> {
                  var schema =
                      crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
                  assertThat(schema.getDescription()).isNotBlank();
                  assertThat(undescribed(schema, "")).isEmpty();
                }));
  }

  @Test
  void theWideColumnsOfARunnerNameTheRequestAndTheJob() {
    var columns =
        Crds.documents().stream()
            .map(yaml -> Serialization.unmarshal(yaml, CustomResourceDefinition.class))
            .filter(crd -> crd.getSpec().getNames().getKind().equals("EphemeralRunner"))
            .flatMap(crd ->
                crd.getSpec().getVersions().getFirst().getAdditionalPrinterColumns().stream())
            .collect(
                Collectors.toMap(
                    CustomResourceColumnDefinition::getName,
                    CustomResourceColumnDefinition::getJsonPath));
    assertThat(columns)
        .containsEntry("Request", ".status.requestId")
        .containsEntry("Job-Id", ".status.jobId");
  }

  /**
   * Not below the conditions, which are the same everywhere, the template, which is of Kubernetes,
   * and copies of the user's fields.
   */
  private static List<String> undescribed(JSONSchemaProps schema, String path) {
    return schema.getProperties().entrySet().stream()
        .flatMap(field -> {
          var at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
          var text = field.getValue().getDescription();
          if (text == null || text.isBlank()) {
            return Stream.of(at);
          }
          if (at.equals(CONDITIONS)
              || at.equals("spec.template")
              || text.equals(EphemeralRunnerSetSpec.SHARED)) {
            return Stream.<String>of();
          }
          var items = field.getValue().getItems();
          var below = items == null ? field.getValue() : items.getSchema();
          return undescribed(below, at).stream();
        })
        .toList();
  }
}
