package dev.runnerset.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.e2e.RealServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each rule of the CRDs, with an example it takes and one it refuses, on the real server. */
final class RealCrdRulesIT {
  private static final String NAMESPACE = "rules";
  private static KubernetesClient admin;

  @BeforeAll
  static void start() {
    admin = RealServer.cluster().adminClient();
    var namespace =
        new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build();
    admin.resource(namespace).create();
  }

  /**
   * A rule of the set's spec.
   *
   * @param says a part of the refusal
   */
  private record Rule(String name, String good, String bad, String says) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              "min not above max",
              "minRunners: 2, maxRunners: 2",
              "minRunners: 3, maxRunners: 2",
              "minRunners must not be greater than maxRunners"),
          new Rule(
              "min not above the default max",
              "minRunners: 10",
              "minRunners: 11",
              "minRunners must not be greater than maxRunners"),
          new Rule("min not negative", "minRunners: 0", "minRunners: -1", "spec.minRunners"),
          new Rule("max not negative", "maxRunners: 0", "maxRunners: -1", "spec.maxRunners"),
          new Rule(
              "min at most 10,000",
              "minRunners: 10000, maxRunners: 10000",
              "minRunners: 10001, maxRunners: 10001",
              "spec.minRunners"),
          new Rule(
              "max at most 10,000", "maxRunners: 10000", "maxRunners: 10001", "spec.maxRunners"),
          new Rule(
              "min and max of a window at most 10,000",
              "schedule: [{name: a, timeZone: UTC, start: \"0 7 * * *\", duration: 1h, minRunners: 1, maxRunners: 10000}]",
              "schedule: [{name: a, timeZone: UTC, start: \"0 7 * * *\", duration: 1h, minRunners: 1, maxRunners: 10001}]",
              "spec.schedule[0].maxRunners"),
          new Rule(
              "URL of an organization",
              "githubConfigUrl: \"https://github.com/my-org\"",
              "githubConfigUrl: \"github.com/my-org\"",
              "write the URL of an organization"),
          new Rule(
              "URL of a repository",
              "githubConfigUrl: \"https://github.com/o/r\"",
              "githubConfigUrl: \"https://github.com/o/r/x\"",
              "write the URL of an organization"),
          new Rule(
              "URL with a path",
              "githubConfigUrl: \"https://ghes.example/enterprises/e\"",
              "githubConfigUrl: \"https://ghes.example\"",
              "write the URL of an organization"),
          new Rule(
              "secret's name",
              "githubConfigSecret: {name: a}",
              "githubConfigSecret: {name: A_b}",
              "write the name of an object"),
          new Rule(
              "secret needed",
              "githubConfigSecret: {name: a}",
              "githubConfigSecret: {}",
              "spec.githubConfigSecret.name"),
          new Rule(
              "scale set name",
              "runnerScaleSetName: linux-x64",
              "runnerScaleSetName: \"a b\"",
              "write 1 to 100 characters"),
          new Rule("mode", "mode: Paused", "mode: Stopped", "spec.mode"),
          new Rule("protection", "protection: None", "protection: All", "spec.protection"),
          new Rule(
              "deadline",
              "deadlines: {startup: 1h30m}",
              "deadlines: {startup: -1h}",
              "spec.deadlines.startup"),
          new Rule(
              "scheduling deadline",
              "deadlines: {scheduling: 10m}",
              "deadlines: {scheduling: 10}",
              "spec.deadlines.scheduling"),
          new Rule(
              "registration deadline",
              "deadlines: {registration: 5m}",
              "deadlines: {registration: soon}",
              "spec.deadlines.registration"),
          new Rule(
              "failed limit at least 1",
              "retention: {failedLimit: 1}",
              "retention: {failedLimit: 0}",
              "spec.retention.failedLimit"),
          new Rule(
              "failed limit at most 100",
              "retention: {failedLimit: 100}",
              "retention: {failedLimit: 101}",
              "spec.retention.failedLimit"),
          new Rule(
              "succeeded limit at least 1",
              "retention: {succeededLimit: 1}",
              "retention: {succeededLimit: 0}",
              "spec.retention.succeededLimit"),
          new Rule(
              "succeeded limit at most 100",
              "retention: {succeededLimit: 100}",
              "retention: {succeededLimit: 101}",
              "spec.retention.succeededLimit"),
          new Rule(
              "TTL after failure",
              "retention: {ttlAfterFailed: 6h}",
              "retention: {ttlAfterFailed: 6}",
              "spec.retention.ttlAfterFailed"),
          new Rule(
              "TTL of at most four parts",
              "retention: {ttlAfterFailed: 1h30m0s500ms}",
              "retention: {ttlAfterFailed: 1h1h1h1h1h}",
              "spec.retention.ttlAfterFailed"),
          new Rule(
              "TTL after success",
              "retention: {ttlAfterSucceeded: 0s}",
              "retention: {ttlAfterSucceeded: -1s}",
              "spec.retention.ttlAfterSucceeded"),
          new Rule(
              "pod policy",
              "retention: {podPolicy: Delete}",
              "retention: {podPolicy: Drop}",
              "spec.retention.podPolicy"),
          new Rule(
              "outcome",
              "retention: {outcomeFrom: Job}",
              "retention: {outcomeFrom: Pod}",
              "spec.retention.outcomeFrom"),
          new Rule(
              "idle age",
              "garbageCollection: {maximumIdleAge: 24h}",
              "garbageCollection: {maximumIdleAge: 1d}",
              "write a duration of up to four parts, as 30m"),
          new Rule(
              "afterwards",
              "garbageCollection: {afterwards: Release}",
              "garbageCollection: {afterwards: Keep}",
              "spec.garbageCollection.afterwards"),
          new Rule(
              "proxy URL",
              "proxy: {http: {url: \"http://proxy.example:3128\"}}",
              "proxy: {http: {url: \"http://user:word@proxy.example\"}}",
              "as http://proxy.example:3128"),
          new Rule(
              "https proxy URL",
              "proxy: {https: {url: \"http://proxy.example:3128\"}}",
              "proxy: {https: {url: proxy.example}}",
              "as http://proxy.example:3128"),
          new Rule(
              "certificate",
              "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: ca, key: ca.crt}}}",
              "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: ca}}}",
              "configMapKeyRef.key"),
          new Rule(
              "window's duration",
              "schedule: [{name: a, timeZone: UTC, start: \"0 7 * * *\", duration: 12h}]",
              "schedule: [{name: a, timeZone: UTC, start: \"0 7 * * *\", duration: 12}]",
              "duration"),
          new Rule(
              "window's min not above its max",
              "schedule: [{name: a, timeZone: UTC, start: \"0 7 * * *\", duration: 12h, minRunners: 1, maxRunners: 1}]",
              "schedule: [{name: a, timeZone: UTC, start: \"0 7 * * *\", duration: 12h, minRunners: 2, maxRunners: 1}]",
              "minRunners must not be greater than maxRunners"));

  @TestFactory
  Stream<DynamicTest> rules() {
    return RULES.stream()
        .map(rule ->
            DynamicTest.dynamicTest(
                rule.name(),
                () -> {
                  dryRun(set(rule.good()));
                  assertThatThrownBy(() -> dryRun(set(rule.bad())))
                      .isInstanceOfSatisfying(
                          KubernetesClientException.class,
                          e -> assertThat(e.getCode()).isEqualTo(422))
                      .hasMessageContaining(rule.says());
                }));
  }

  @Test
  void aSpecIsNeeded() {
    var empty = set("minRunners: 0");
    empty.getAdditionalProperties().remove("spec");
    assertThatThrownBy(() -> dryRun(empty)).hasMessageContaining("spec: Required");
  }

  @Test
  void absentFieldsGetTheirDefaults() {
    var stored = admin.resource(set("runnerVersion: \"2.335.1\"")).dryRun(true).create();
    assertThat(stored.<Object>get("spec", "minRunners")).isEqualTo(0);
    assertThat(stored.<Object>get("spec", "maxRunners")).isEqualTo(10);
    assertThat(stored.<Object>get("spec", "mode")).isEqualTo("Active");
    assertThat(stored.<Object>get("spec", "protection")).isEqualTo("Busy");
    assertThat(stored.<Object>get("spec", "runnerGroup")).isEqualTo("default");
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

  /** 50 KB without the descriptions of all fields. */
  @Test
  void theFourTogetherAreUnderSixtyFourKilobytes() {
    assertThat(dev.runnerset.crds.Crds.yaml().length()).isLessThan(65_536);
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
