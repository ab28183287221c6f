package dev.runnerset.crds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldPathsTest {
  private static final FieldPaths SETS = FieldPaths.ofThisVersion().get("AutoScalingRunnerSet");

  @Test
  void fieldsOfObjectsAndListsHavePathsAndWhatTheTemplateHoldsHasNone() {
    assertThat(FieldPaths.ofThisVersion().keySet())
        .containsExactly(
            "AutoScalingListener", "AutoScalingRunnerSet", "EphemeralRunner", "EphemeralRunnerSet");
    assertThat(SETS.paths())
        .contains(
            "spec.minRunners",
            "spec.proxy.http.url",
            "spec.schedule.name",
            "spec.template",
            "status.history.revision")
        .noneMatch(path -> path.startsWith("spec.template."))
        .noneMatch(path -> path.startsWith("metadata"));
  }

  @Test
  void whatIsLackedIsNamedOnceAtItsTop() {
    var ours = of("spec", "spec.a", "spec.ab", "spec.b", "spec.b.c", "spec.b.c.d", "spec.e");
    assertThat(ours.lackedBy(of("spec", "spec.a", "spec.ab", "spec.e", "spec.new")))
        .containsExactly("spec.b");
    assertThat(ours.lackedBy(of("spec", "spec.a", "spec.ab", "spec.b", "spec.e")))
        .containsExactly("spec.b.c");
    assertThat(ours.lackedBy(ours)).isEmpty();
    assertThat(ours.lackedBy(FieldPaths.NONE)).containsExactly("spec");
  }

  @Test
  void whatIsNotKnownInASpecIsNamed() throws Exception {
    var known = "{minRunners: 1, template: {x: {y: 1}}, schedule: [{name: a}]}";
    assertThat(SETS.unknownIn(set(known))).isEmpty();
    var unknown =
        "{minRunners: 1, soon: {a: 1}, proxy: {http: {url: u, later: 1}}, schedule: [{name: a},"
            + " {name: b, next: 1}]}";
    assertThat(SETS.unknownIn(set(unknown)))
        .containsExactly("spec.proxy.http.later", "spec.schedule.next", "spec.soon");
  }

  @Test
  void theKindsAreFoundInAnOpenApiDocument() throws Exception {
    var document =
        """
        {"components": {"schemas": {
          "dev.runnerset.v1alpha1.EphemeralRunner": {
            "properties": {"spec": {"properties": {"x": {}}}, "metadata": {"$ref": "m"}},
            "x-kubernetes-group-version-kind":
              [{"group": "runnerset.dev", "version": "v1alpha1", "kind": "EphemeralRunner"}]},
          "io.k8s.Other": {"x-kubernetes-group-version-kind":
              [{"group": "other", "version": "v1", "kind": "EphemeralRunnerSet"}]}}}}
        """;
    var served = FieldPaths.served(new ObjectMapper().readTree(document));
    assertThat(served.keySet()).containsExactly("EphemeralRunner");
    assertThat(served.get("EphemeralRunner").paths()).containsExactly("spec", "spec.x");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {"1, none, 0", "1, 0, 0", "1, 1, 0", "1, 2, 0", "1, 3, 2", "2, none, -2", "5, 2, -3"})
  void neighbouringLevelsWorkTogether(int ours, Integer other, int apart) {
    assertThat(ProtocolLevel.apart(ours, other)).isEqualTo(apart);
  }

  private static FieldPaths of(String... paths) {
    return new FieldPaths(new TreeSet<>(List.of(paths)));
  }

  private static JsonNode set(String spec) throws Exception {
    return Serialization.unmarshal("spec: " + spec, JsonNode.class);
  }
}
