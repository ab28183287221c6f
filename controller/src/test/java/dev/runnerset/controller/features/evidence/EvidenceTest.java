package dev.runnerset.controller.features.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Scrubber;
import dev.runnerset.controller.podspec.RunnerCredentials;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RN17: a black box is small, says what happened, and has no credential in it. */
final class EvidenceTest {
  private static final String JIT = "eyJzdWIiOiJydW5uZXIifQ";
  private static final Scrubber NONE = RunnerCredentials.scrubber(null, null);

  private static final Pod POD =
      Serialization.unmarshal(
          """
          metadata: {name: ci-1, namespace: ns}
          spec:
            nodeName: node-1
            initContainers: [{name: tools, env: [{name: A, value: in-the-init-container}]}]
            containers:
              - name: runner
                env: [{name: PASS, value: plainwords}, {name: DEBUG, value: "1"}]
          status:
            phase: Failed
            reason: Evicted
            message: "The node was low on resource: memory; plainwords"
            conditions: [{type: Ready, status: "False", reason: PodFailed, message: plainwords}]
            initContainerStatuses:
              - {name: tools, state: {terminated: {exitCode: 0, reason: Completed}}}
            containerStatuses:
              - name: runner
                state: {terminated: {exitCode: 137, reason: OOMKilled, message: "said plainwords",
                  finishedAt: "2026-01-01T00:00:00Z"}}
              - {name: dind, state: {running: {startedAt: "2026-01-01T00:00:00Z"}}}
          """,
          Pod.class);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ghs_16C7e42F292c6912E7710c838347Ae178B4a",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0123456789_abcdefghijklmnop",
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMiJ9.c2lnbmF0dXJl",
        "AKIAIOSFODNN7EXAMPLE/wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
        "0123456789abcdef0123456789abcdef01234567",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nowIB\n-----END RSA PRIVATE KEY-----"
      })
  void whatLooksLikeACredentialIsTakenOut(String credential) {
    var clean = NONE.scrub("before " + credential + " after");
    assertThat(clean).isEqualTo("before *** after");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer s3cr3t",
        "authorization: bearer s3cr3t",
        "password=s3cr3t",
        "\"token\": \"s3cr3t\"",
        "API_KEY=s3cr3t",
        "https://user:s3cr3t@proxy:3128/",
      })
  void whatIsNamedACredentialIsTakenOut(String line) {
    assertThat(NONE.scrub(line)).doesNotContain("s3cr3t").contains("***");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Runner listener exited with error code 1",
        "/home/runner/_work/_actions/actions/checkout/v4/dist/index.js",
        "2026-01-01 00:00:00Z: Listening for Jobs",
        "cannot pull i@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "dial tcp: lookup pipelines.actions.githubusercontent.com: no such host"
      })
  void whatIsNoneStays(String line) {
    assertThat(NONE.scrub(line)).isEqualTo(line);
  }

  /** A7: lines stay, and nothing that a terminal obeys; what is taken out hides no secret. */
  @Test
  void aLogKeepsItsLinesAndNoTerminalSequence() {
    var log = "one\u001B[31m\n\ttwo \u0007gh\u001B[0mp_abcdefghijklmnop\u202E\u0085";
    var box = Evidence.of(POD, List.of(), Map.of("runner", log), NONE).toString();
    assertThat(box).contains("one\n\ttwo ***");
    assertThat(box).doesNotContain("\u001B", "\u0007", "\u202E", "abcdefgh");
    assertThat(Evidence.lastLine(Map.of("runner", "a\nb\u001B[0m\u2028c"), NONE)).contains("bc");
  }

  @Test
  void theJitConfigAndTheEnvironmentAreInNoPartOfTheBox() {
    var secret = Serialization.unmarshal("data: {jitToken: bXktaml0LWNvbmZpZw==}", Secret.class);
    var scrubber = RunnerCredentials.scrubber(secret, POD);
    var logs =
        Map.of(
            "runner",
            "my-jit-config bXktaml0LWNvbmZpZw== " + JIT + "\nplainwords\nDEBUG is 1\n",
            "tools",
            "in-the-init-container\n");
    var box = Evidence.of(POD, List.of(), logs, scrubber).toString();
    assertThat(box)
        .doesNotContain("my-jit-config", "bXktaml0LWNvbmZpZw", JIT, "plainwords")
        .doesNotContain("in-the-init-container")
        .contains("DEBUG is 1", "low on resource", "OOMKilled", "137", "node-1", "Evicted");
  }

  @Test
  void nothingIsShownOfAContainerWithValuesOfSecretsInItsEnvironment() {
    var pod =
        Serialization.unmarshal(
            """
            metadata: {name: ci-1, namespace: ns}
            spec:
              initContainers: [{name: tools, envFrom: [{secretRef: {name: all}}]}]
              containers:
                - name: runner
                  env: [{name: J, valueFrom: {secretKeyRef: {name: ci-1, key: jitToken}}}]
                  envFrom: [{configMapRef: {name: open}}]
                - name: dind
                  env: [{name: P, valueFrom: {secretKeyRef: {name: registry, key: jitToken}}}]
            status:
              initContainerStatuses:
                - {name: tools, state: {terminated: {exitCode: 1, message: said hunter2}}}
              containerStatuses:
                - {name: runner, state: {terminated: {exitCode: 1, message: runner ended}}}
                - {name: dind, state: {terminated: {exitCode: 1, message: said hunter2}}}
            """,
            Pod.class);
    var logs = Map.of("tools", "hunter2", "runner", "runner says", "dind", "hunter2");
    var box = Evidence.of(pod, List.of(), logs, NONE).toString();
    assertThat(box).doesNotContain("hunter2").contains("runner ended", "runner says");
    assertThat(box.split("left out: the container's environment has values of secrets", -1))
        .hasSize(3);
  }

  @Test
  void noLineIsTooLongForTheScrubber() {
    var many = "before eyJ" + "a.".repeat(200_000) + " after";
    assertThat(NONE.scrub(many)).isEqualTo("before *** after");
    for (var part : List.of("a", "aA1/", "token=", "-----BEGIN ", "x://", "bearer ", "a.b@")) {
      assertThat(NONE.scrub(part.repeat(16 * 1024 / part.length()))).isNotEmpty();
    }
  }

  @Test
  void theBoxHasEachContainerWithItsStateAndItsLog() {
    var box = Evidence.of(POD, List.of(), Map.of("dind", "docker says\n"), NONE);
    assertThat(box.get("containers"))
        .isEqualTo(
            List.of(
                Map.of(
                    "name", "tools", "state", "terminated", "exitCode", 0, "reason", "Completed"),
                Map.of(
                    "name",
                    "runner",
                    "state",
                    "terminated",
                    "exitCode",
                    137,
                    "reason",
                    "OOMKilled",
                    "message",
                    "said plainwords",
                    "finishedAt",
                    "2026-01-01T00:00:00Z"),
                Map.of(
                    "name",
                    "dind",
                    "state",
                    "running",
                    "startedAt",
                    "2026-01-01T00:00:00Z",
                    "log",
                    "docker says")));
    assertThat(Evidence.of(null, List.of(), Map.of(), NONE))
        .isEqualTo(Map.of("pod", Map.of("phase", "gone")));
  }

  /** RN23: the pods of its job, without anything that their containers wrote. */
  @Test
  void theBoxHasTheEndsOfThePodsOfTheJob() {
    var job =
        Serialization.unmarshal(
            """
            metadata: {name: ci-1-workflow, namespace: ns}
            status:
              phase: Failed
              reason: Evicted
              message: "The node was low on resource: memory; plainwords"
              containerStatuses:
                - name: job
                  state: {terminated: {exitCode: 137, reason: OOMKilled, message: "said something"}}
            """,
            Pod.class);
    var box = Evidence.of(null, List.of(job), Map.of(), RunnerCredentials.scrubber(null, POD));
    assertThat(box.get("pod")).isEqualTo(Map.of("phase", "gone"));
    assertThat(box.get("jobPods"))
        .isEqualTo(
            List.of(
                Map.of(
                    "name",
                    "ci-1-workflow",
                    "phase",
                    "Failed",
                    "reason",
                    "Evicted",
                    "message",
                    "The node was low on resource: memory; ***",
                    "containers",
                    List.of(
                        Map.of(
                            "name",
                            "job",
                            "state",
                            "terminated",
                            "exitCode",
                            137,
                            "reason",
                            "OOMKilled")))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\"", "\t", "ß", "😀"})
  void theBoxIsNeverLargerThan16KiB(String character) {
    var line = character.repeat(60) + "\n";
    var logs = new HashMap<String, String>();
    for (var container : List.of("tools", "runner", "dind")) {
      logs.put(container, line.repeat(400) + container + " ended");
    }
    var box = Evidence.of(POD, List.of(), logs, NONE);
    assertThat(Evidence.size(box)).isBetween(Evidence.LARGEST / 4, Evidence.LARGEST);
    assertThat(box.toString()).contains("tools ended", "runner ended", "dind ended");
  }

  @Test
  void theLastLineThatSaysSomethingIsTheShortForm() {
    assertThat(Evidence.lastLine(Map.of("runner", "a\n b ghs_secret \n\n"), NONE))
        .contains("b ***");
    assertThat(Evidence.lastLine(Map.of("runner", "y".repeat(999)), NONE).orElseThrow())
        .hasSize(200);
    assertThat(Evidence.lastLine(Map.of(), NONE)).isEmpty();
  }
}
