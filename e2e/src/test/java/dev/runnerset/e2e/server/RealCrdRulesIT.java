package dev.runnerset.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.runnerset.e2e.RealServer;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of the CRDs, with an example it takes and one it refuses, on the real server. */
final class RealCrdRulesIT {
  private static final String NAMESPACE = "rules";
  private static KubernetesClient admin;

  @BeforeAll
  static void start() {
    admin = RealServer.adminIn(NAMESPACE);
  }

  /**
   * A rule of the set's spec.
   *
   * @param says a part of the refusal
   */
  record Rule(String name, String good, String bad, String says) {}

  static List<Rule> rules() {
    return List.of(
        Serialization.unmarshal(
            RepositoryFiles.resource("e2e/server/crd-rules.yaml"), Rule[].class));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aRuleOfTheSpec(Rule rule) {
    dryRun(set(rule.good()));
    assertThatThrownBy(() -> dryRun(set(rule.bad())))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining(rule.says());
  }

  @Test
  void aSpecIsNeeded() {
    var empty = set("minRunners: 0");
    empty.getAdditionalProperties().remove("spec");
    assertThatThrownBy(() -> dryRun(empty)).hasMessageContaining("spec: Required");
  }

  @Test
  void absentFieldsGetTheirDefaults() {
    var stored = admin.resource(set("runnerVersion: \"2.338.1\"")).dryRun(true).create();
    assertThat(stored.<Object>get("spec", "minRunners")).isEqualTo(0);
    assertThat(stored.<Object>get("spec", "maxRunners")).isEqualTo(10);
    assertThat(stored.<Object>get("spec", "mode")).isEqualTo("Active");
    assertThat(stored.<Object>get("spec", "protection")).isEqualTo("Busy");
    assertThat(stored.<Object>get("spec", "runnerGroup")).isEqualTo("default");
  }

  /** Without a status kstatus takes a set for healthy that nobody has looked at (WR3). */
  @Test
  void aSetThatNoControllerHasLookedAtIsPending(@TempDir Path folder) {
    var set = set("maxRunners: 3");
    set.getMetadata().setName("pending");
    var created = admin.resource(set).create();
    var shell = new Shell(RealServer.cluster(), folder);
    var columns =
        "--output=custom-columns=:.status.conditions[*].status,:.status.conditions[*].reason";
    assertThat(shell.kubectl("get", "ars", "pending", "-n", NAMESPACE).done().text())
        .containsPattern("READY +REASON")
        .containsPattern("Unknown +Pending");
    admin
        .resource(created)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"controller\":\"a/b\"}}");
    assertThat(
            shell.kubectl("get", "ars", "pending", "-n", NAMESPACE, columns).done().text().strip())
        .as("kept by the first patch of a controller, which claims the set")
        .matches("Unknown +Pending");
    admin.resource(created).delete();
  }

  @Test
  void limitsDoNotBelongToARunner() {
    var path = "/apis/runnerset.dev/v1alpha1/namespaces/" + NAMESPACE + "/ephemeralrunners";
    var runner =
        """
        {"apiVersion": "runnerset.dev/v1alpha1", "kind": "EphemeralRunner",
         "metadata": {"name": "limited"},
         "spec": {"githubConfigUrl": "https://github.com/o", "githubConfigSecret": {"name": "a"},
          "runnerScaleSetId": 1, "retention": {"ttlAfterFailed": "1h", "failedLimit": 5}}}
        """;
    assertThatThrownBy(() -> admin.raw(path + "?dryRun=All&fieldValidation=Strict", "POST", runner))
        .as("as kubectl asks")
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("failedLimit");
    assertThat(admin.raw(path + "?dryRun=All&fieldValidation=Ignore", "POST", runner))
        .as("as a client that asks for no validation")
        .contains("\"ttlAfterFailed\":\"1h\"")
        .doesNotContain("\"failedLimit\":5");
    var negative = runner.replace("\"1h\"", "\"-1h\"");
    assertThatThrownBy(() -> admin.raw(path + "?dryRun=All", "POST", negative))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.retention.ttlAfterFailed");
  }

  @Test
  void theUrlIsFixedOnceTheScaleSetIsRegistered() {
    var set = admin.resource(set("minRunners: 0")).create();
    var other = "{\"spec\":{\"githubConfigUrl\":\"https://github.com/another\"}}";
    admin.resource(set).patch(PatchContext.of(PatchType.JSON_MERGE), other);
    admin
        .resource(set)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"scaleSetId\":7}}");
    var third = "{\"spec\":{\"githubConfigUrl\":\"https://github.com/third\"}}";
    assertThatThrownBy(
            () -> admin.resource(set).patch(PatchContext.of(PatchType.JSON_MERGE), third))
        .hasMessageContaining("cannot change once the scale set is registered");
    admin.resource(set).delete();
  }

  /** Its deletion would hang otherwise, as one by a plain rule did. */
  @Test
  void aNameThatIsNoLabelIsRefusedAndAStoredOneCanBePatchedAndDeleted() {
    var name = "n".repeat(64);
    var named = named(name);
    assertThatThrownBy(() -> admin.resource(named).create())
        .hasMessageContaining("metadata.name is longer than 63 characters");
    admin.resource(named("n".repeat(63))).dryRun(true).create();

    var kinds = admin.apiextensions().v1().customResourceDefinitions();
    var kind = kinds.withName("autoscalingrunnersets.runnerset.dev");
    var rules = kind.get().getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
    var stored = new java.util.ArrayList<>(rules.getXKubernetesValidations());
    kind.edit(crd -> withRules(crd, List.of())); // as in a version without that rule
    var sets = admin.genericKubernetesResources("runnerset.dev/v1alpha1", "AutoScalingRunnerSet");
    var set = sets.inNamespace(NAMESPACE).withName(name);
    try {
      await().ignoreExceptions().until(() -> admin.resource(named).create() != null);
    } finally {
      kind.edit(crd -> withRules(crd, stored));
    }
    await()
        .until(() -> {
          try {
            admin.resource(named("m".repeat(64))).dryRun(true).create();
            return false;
          } catch (KubernetesClientException e) {
            return true; // the rule is in force again
          }
        });
    set.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"minRunners\":1}}");
    set.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}");
    set.delete();
    assertThat(set.get().getMetadata().getDeletionTimestamp()).isNotNull();
    set.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    await().until(() -> set.get() == null);
  }

  private static CustomResourceDefinition withRules(
      CustomResourceDefinition crd, List<ValidationRule> rules) {
    crd.getSpec()
        .getVersions()
        .getFirst()
        .getSchema()
        .getOpenAPIV3Schema()
        .setXKubernetesValidations(rules);
    return crd;
  }

  private static GenericKubernetesResource named(String name) {
    var set = set("minRunners: 0");
    set.getMetadata().setName(name);
    return set;
  }

  private static void dryRun(GenericKubernetesResource set) {
    admin.resource(set).dryRun(true).create();
  }

  private static GenericKubernetesResource set(String field) {
    var yaml =
        new StringBuilder(
            "---\n{apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingRunnerSet, metadata: {name: r,"
                + " namespace: rules}, spec: {"); // without the dashes it would be read as JSON
    var key = field.substring(0, field.indexOf(':'));
    if (!key.equals("githubConfigUrl")) {
      yaml.append("githubConfigUrl: \"https://github.com/my-org\", ");
    }
    if (!key.equals("githubConfigSecret")) {
      yaml.append("githubConfigSecret: {name: github}, ");
    }
    yaml.append("template: {spec: {containers: [{name: runner, image: x}]}}, ");
    yaml.append(field).append("}}");
    return Serialization.unmarshal(yaml.toString(), GenericKubernetesResource.class);
  }
}
