package dev.runnerset.controller.features.shield;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.Places;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policy and binding are what this version makes, or what differs is reported (SH3). */
final class AdmissionPolicyReaderTest {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();
  private static final UnaryOperator<String> AS_MADE = text -> text;

  /** What is reported of policy and binding with those changes of their text; empty for nothing. */
  private static String reported(
      Set<String> watched, UnaryOperator<String> policy, UnaryOperator<String> binding) {
    var places = new Places(watched, "home", "listeners", "runnerset-listener");
    var made = ShieldManifests.yaml(places, "account.of-ours");
    var lacks =
        AdmissionPolicyReader.lacking(
            "runnerset-shield",
            places,
            object(policy.apply(made.getFirst())),
            object(binding.apply(made.getLast())));
    return lacks == null ? "" : lacks.reason().word() + ": " + lacks.message();
  }

  private static GenericKubernetesResource object(String yaml) {
    return YAML.unmarshal(yaml, GenericKubernetesResource.class);
  }

  private static UnaryOperator<String> replace(String from, String to) {
    return text -> {
      assertThat(text).contains(from);
      return text.replace(from, to);
    };
  }

  @Test
  void asMadeNothingIsReported() {
    assertThat(reported(Set.of(), AS_MADE, AS_MADE)).isEmpty();
    assertThat(reported(Set.of("a", "b"), AS_MADE, AS_MADE)).isEmpty();
  }

  @Test
  void whatTheServerFillsInIsNoChange() {
    var filled =
        replace("  matchConstraints:\n", "  matchConstraints:\n    matchPolicy: Equivalent\n")
            .andThen(
                replace("    resourceRules:\n", "    namespaceSelector: {}\n    resourceRules:\n"))
            .andThen(
                replace(
                    "        resources: [pods]", "        resources: [pods]\n        scope: '*'"));
    assertThat(reported(Set.of(), filled::apply, AS_MADE)).isEmpty();
    var binding =
        replace(
            "    namespaceSelector:",
            "    matchPolicy: Equivalent\n    objectSelector: {}\n    namespaceSelector:");
    assertThat(reported(Set.of("a"), AS_MADE, binding)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "failurePolicy: Fail | failurePolicy: Ignore | spec.failurePolicy",
        "operations: [CREATE, UPDATE, DELETE] | operations: [DELETE] | spec.matchConstraints",
        "name: is-not-forced | name: is-forced | spec.matchConditions",
        "system:nodes | system:authenticated | spec.matchConditions",
        "reason: Forbidden | reason: Invalid | spec.validations",
      })
  void aChangeOfThePolicyIsReported(String from, String to, String field) {
    assertThat(reported(Set.of(), replace(from, to), AS_MADE))
        .startsWith("PolicyChanged: ")
        .contains("the ValidatingAdmissionPolicy runnerset-shield (" + field + ")")
        .contains("kubectl delete validatingadmissionpolicies.admissionregistration.k8s.io,");
    var older =
        replace(from, to).andThen(text -> text.replaceAll("(policy-version: ).*", "$1former"));
    assertThat(reported(Set.of(), older::apply, AS_MADE))
        .startsWith("PolicyOutdated: ")
        .contains("(" + field + ")");
  }

  @Test
  void aConditionThatWasAddedIsReported() {
    var added =
        replace(
            "  matchConditions:\n",
            "  matchConditions:\n    - {name: added, expression: 'false'}\n");
    assertThat(reported(Set.of(), added, AS_MADE)).contains("(spec.matchConditions)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "  matchResources: {namespaceSelector: {matchLabels: {none: none}}}",
        "  matchResources: {objectSelector: {matchLabels: {none: none}}}",
        "  matchResources: {excludeResourceRules: [{apiGroups: [''], apiVersions: [v1],"
            + " operations: [DELETE], resources: [pods]}]}",
      })
  void aBindingThatMatchesNothingIsReported(String field) {
    UnaryOperator<String> narrow =
        text -> text.substring(0, text.indexOf("  matchResources:")) + field + "\n";
    assertThat(reported(Set.of(), AS_MADE, narrow))
        .startsWith("PolicyChanged: ")
        .contains("the ValidatingAdmissionPolicyBinding runnerset-shield (spec.matchResources)");
  }

  /** A3: the pods of a namespace with an installation of its own are not refused. */
  @Test
  void sh3OnlyTheBindingForAllNamespacesLeavesOutThoseWithAnInstallationOfTheirOwn() {
    var ofAll = ShieldManifests.yaml(new Places(Set.of(), "home", "l", "a"), "a").getLast();
    assertThat(ofAll)
        .contains("name: runnerset-shield\n")
        .contains("{key: runnerset.dev/installation, operator: DoesNotExist}");
    var ofOne = ShieldManifests.yaml(new Places(Set.of("ci"), "home", "l", "a"), "a").getLast();
    assertThat(ofOne)
        .contains("name: runnerset-shield-home\n")
        .contains("{key: kubernetes.io/metadata.name, operator: In, values: [ci]}")
        .doesNotContain("installation");
    assertThat(reported(Set.of(), AS_MADE, replace("operator: DoesNotExist", "operator: Exists")))
        .startsWith("PolicyChanged: ")
        .contains("(spec.matchResources)");
  }

  /** An upgrade of the programs before that of the chart. */
  @Test
  void aBindingOfAFormerVersionIsOutdatedAndNotChanged() {
    UnaryOperator<String> former = text -> text.substring(0, text.indexOf("  matchResources:"));
    assertThat(reported(Set.of(), AS_MADE, former))
        .startsWith("PolicyOutdated: ")
        .contains("the ValidatingAdmissionPolicyBinding runnerset-shield (spec.matchResources)");
  }

  @Test
  void aBindingThatOnlyAuditsOrNamesAnotherPolicyIsReported() {
    assertThat(reported(Set.of(), AS_MADE, replace("[Deny]", "[Audit]")))
        .contains("(spec.validationActions)");
    assertThat(
            reported(
                Set.of(), AS_MADE, replace("policyName: runnerset-shield", "policyName: mine")))
        .contains("(spec.policyName)");
  }

  @Test
  void aVersionThatDiffersInWordsOnlyIsNotReported() {
    UnaryOperator<String> former = text -> text.replaceAll("(policy-version: ).*", "$1former");
    assertThat(reported(Set.of(), former, AS_MADE)).isEmpty();
  }
}
