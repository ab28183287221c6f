package dev.runnerset.crds;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Writes the CRDs of this module; run by the build in the toolchain's JVM. */
final class GenerateCrds {
  private static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          AutoScalingRunnerSet.class,
          EphemeralRunnerSet.class,
          EphemeralRunner.class,
          AutoScalingListener.class);

  private static final Map<Class<?>, String> PURPOSES =
      Map.of(
          AutoScalingRunnerSet.class,
          "A set of runners for GitHub Actions that grows with the jobs that wait for it.",
          EphemeralRunnerSet.class,
          "The runners of one AutoScalingRunnerSet, created by the controller.",
          EphemeralRunner.class,
          "One runner: one registration, one pod, one job.",
          AutoScalingListener.class,
          "What a listener needs to receive the jobs of one set, created by the controller.");

  /** Of the metadata of a template nothing else goes into a pod. */
  private static final Set<String> USED_METADATA = Set.of("labels", "annotations");

  /** The status of a set that no controller has looked at: without one it would look healthy. */
  private static final JsonNode PENDING =
      Serialization.unmarshal(
          """
          conditions:
          - type: Ready
            status: Unknown
            reason: Pending
            message: Waiting for the controller
            lastTransitionTime: "1970-01-01T00:00:00Z"
          """,
          JsonNode.class);

  private GenerateCrds() {}

  /** Writes one YAML file a kind under {@code META-INF/fabric8} of the folder {@code args[0]}. */
  public static void main(String[] args) throws Exception {
    var out = Files.createDirectories(Path.of(args[0], "META-INF", "fabric8"));
    var generator = new CRDGenerator().inOutputDir(out.toFile());
    KINDS.forEach(generator::customResourceClasses);
    var info = generator.detailedGenerate();
    if (info.numberOfGeneratedCRDs() != KINDS.size()) {
      throw new IllegalStateException(info.numberOfGeneratedCRDs() + " CRDs, not " + KINDS.size());
    }
    for (var kind : KINDS) {
      complete(out.resolve(CustomResource.getCRDName(kind) + "-v1.yml"), kind);
    }
  }

  /**
   * What the generator does not take from annotations: the order of the columns, that a spec is
   * required, what the kind is for; and that a field which the controller copies is described and
   * checked in the user's kind only. A rule of a record's component is found at its field and at
   * its accessor.
   */
  private static void complete(Path file, Class<?> kind) throws IOException {
    var crd = Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    var order =
        Stream.of(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
            .map(AdditionalPrinterColumn::name)
            .toList();
    for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
      var schema = version.getSchema().getOpenAPIV3Schema();
      schema.setRequired(List.of("spec"));
      describe(schema, kind);
      if (kind == AutoScalingRunnerSet.class) {
        schema.getProperties().get("status").setDefault(PENDING);
      }
      version
          .getAdditionalPrinterColumns()
          .sort(
              Comparator.comparing(
                  (CustomResourceColumnDefinition c) -> order.indexOf(c.getName())));
    }
    crd.getMetadata().setLabels(Map.of(Labels.PART_OF, Labels.PART_OF_VALUE));
    Files.writeString(file, Serialization.asYaml(crd).replaceFirst("^---\n", ""));
  }

  private static void describe(JSONSchemaProps schema, Class<?> kind) {
    schema.setDescription(requireNonNull(PURPOSES.get(kind)));
    var spec = schema.getProperties().get("spec");
    spec.setDescription("what is wanted");
    if (kind == AutoScalingRunnerSet.class) {
      var template = spec.getProperties().get("template");
      template.getProperties().get("metadata").getProperties().keySet().retainAll(USED_METADATA);
      template.getProperties().get("spec").getProperties().remove("ephemeralContainers");
      onlyTypes(template);
      template.setDescription("pod template; its container named runner runs the job");
    }
    schema.getProperties().get("status").setDescription("what was observed");
    shorten(schema);
  }

  private static void shorten(JSONSchemaProps schema) {
    schema.setXKubernetesValidations(
        schema.getXKubernetesValidations().stream().distinct().toList());
    boolean copied = EphemeralRunnerSetSpec.SHARED.equals(schema.getDescription());
    below(schema).forEach(copied ? GenerateCrds::strip : GenerateCrds::shorten);
  }

  private static void strip(JSONSchemaProps schema) {
    schema.setDescription(null);
    schema.setXKubernetesValidations(null);
    schema.setMaxLength(null);
    below(schema).forEach(GenerateCrds::strip);
  }

  /**
   * The types of a pod's fields, and no more, so that the kind stays small: the API server says the
   * rest when a pod is made. A field of a newer Kubernetes is kept. Quantities have no type, since
   * they may be fractions.
   */
  private static void onlyTypes(JSONSchemaProps schema) {
    schema.setDescription(null);
    schema.setXKubernetesValidations(List.of());
    if (isIntOrString(schema)) {
      schema.setAnyOf(null);
    }
    if (!schema.getProperties().isEmpty()) {
      schema.setXKubernetesPreserveUnknownFields(true);
    }
    schema
        .getProperties()
        .forEach((name, field) -> {
          // the one field of a pod that is a number or a name; quantities look alike here
          if (!name.equals("port") && isIntOrString(field)) {
            untyped(field);
          }
        });
    var values = schema.getAdditionalProperties();
    if (values != null && isIntOrString(values.getSchema())) {
      untyped(values.getSchema());
    }
    below(schema).forEach(GenerateCrds::onlyTypes);
  }

  private static boolean isIntOrString(JSONSchemaProps schema) {
    return Boolean.TRUE.equals(schema.getXKubernetesIntOrString());
  }

  private static void untyped(JSONSchemaProps schema) {
    schema.setXKubernetesIntOrString(null);
    schema.setAnyOf(null);
    schema.setXKubernetesPreserveUnknownFields(true);
  }

  private static Stream<JSONSchemaProps> below(JSONSchemaProps schema) {
    var items = schema.getItems();
    var values = schema.getAdditionalProperties();
    return Stream.concat(
            schema.getProperties().values().stream(),
            Stream.of(
                items == null ? null : items.getSchema(),
                values == null ? null : values.getSchema()))
        .filter(Objects::nonNull);
  }
}
