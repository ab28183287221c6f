package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Values that {@code charts/runnerset-set} refuses, and what it says. */
final class SetChartRefusalsIT {
  private static final String URL = "githubConfigUrl: https://github.com/my-org\n";
  private static final String GOOD = URL + "githubConfigSecret: github\n";

  @TempDir private static Path home;

  /** The text of a values file and a part of the answer. */
  private record Row(String values, String says) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("githubConfigSecret: github", "githubConfigUrl is missing: set it to the URL"),
          new Row(
              "githubConfigUrl: github.com/my-org\ngithubConfigSecret: github",
              "githubConfigUrl is 'github.com/my-org': write the URL of an organization"),
          new Row(
              "githubConfigUrl: https://github.com/o/r/x\ngithubConfigSecret: github",
              "githubConfigUrl is 'https://github.com/o/r/x'"),
          new Row(URL, "githubConfigSecret is missing: name a secret of the namespace teams"),
          new Row(
              URL + "githubConfigSecret: {github_token: \"\"}",
              "githubConfigSecret has no value: give github_token, or"),
          new Row(
              URL + "githubConfigSecret: other/github",
              "cannot be the name of a secret: write the name alone, in lower case; the secret has to"
                  + " be in the namespace of the set, teams"),
          new Row(
              URL + "githubConfigSecret: {github_app_id: 1, github_app_private_key: x}",
              "only a part of a GitHub App: github_app_installation_id is missing"),
          new Row(
              URL + "githubConfigSecret: {github_token: t, github_app_id: 1}",
              "both github_token and values of a GitHub App: keep one of the two"),
          new Row(
              URL
                  + "githubConfigSecret: {github_app_id: 1, github_app_installation_id: 2,"
                  + " github_app_private_key: key.pem}",
              "no private key in PEM form"),
          new Row(
              URL + "githubConfigSecret: {token: t}",
              "at '/githubConfigSecret': additional properties 'token' not allowed"),
          new Row(GOOD + "runnerScaleSetName: a b", "runnerScaleSetName is 'a b': write 1 to 100"),
          new Row(
              GOOD + "runnerScaleSetName: " + "a".repeat(64),
              "which Kubernetes refuses: set nameOverride to 1 to 63 characters"),
          new Row(
              GOOD + "nameOverride: Linux", "would be called 'Linux', which Kubernetes refuses"),
          new Row(
              GOOD + "minRunners: 11",
              "minRunners (11) is greater than maxRunners (10), which is 10 where you do not set it"),
          new Row(GOOD + "maxRunners: -1", "at '/maxRunners': minimum: got -1, want 0"),
          new Row(GOOD + "maxRunners: many", "at '/maxRunners': got string, want integer"),
          new Row(GOOD + "maxRunners: null", "missing property 'maxRunners'"),
          new Row(GOOD + "mode: Stopped", "at '/mode': value must be one of 'Active'"),
          new Row(GOOD + "retention: {ttlAfterFailed: 1d}", "at '/retention/ttlAfterFailed': '1d'"),
          new Row(GOOD + "retention: {failedLimit: 101}", "at '/retention/failedLimit': maximum"),
          new Row(GOOD + "scaleSetLabels: [\"\"]", "at '/scaleSetLabels/0': minLength"),
          new Row(
              GOOD + "proxy: {http: {url: \"http://user:word@proxy.example\"}}",
              "proxy.http.url: write a URL without user, path or space"),
          new Row(
              GOOD + "proxy: {https: {credentialSecretRef: login}}",
              "proxy.https has credentialSecretRef, but no url"),
          new Row(
              GOOD + "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: ca}}}",
              "configMapKeyRef needs both: the name of a config map and a key of it"),
          new Row(
              GOOD + "containerMode: {type: docker}",
              "at '/containerMode/type': value must be one of 'dind', 'kubernetes'"),
          new Row(
              GOOD + "containerMode: {type: kubernetes}",
              "kubernetesModeWorkVolumeClaim is missing: mode kubernetes needs the spec of a claim"),
          new Row(
              GOOD
                  + "containerMode: {type: dind, kubernetesModeWorkVolumeClaim: {accessModes: [a]}}",
              "kubernetesModeWorkVolumeClaim has no effect"),
          new Row(
              GOOD
                  + "containerMode: {kubernetesModeAdditionalRoleRules:"
                  + " [{apiGroups: [a], resources: [a], verbs: [a]}]}",
              "kubernetesModeAdditionalRoleRules has no effect"),
          new Row(
              GOOD + "containerMode: {type: dind, kubernetesModeHookExtension: {spec: {}}}",
              "kubernetesModeHookExtension has no effect"),
          new Row(
              GOOD + "template: {spec: {containers: [{name: main, image: a}]}}",
              "the template has no container named runner (it has: main)"),
          new Row(GOOD + "template: {spec: {containers: []}}", "minItems: got 0, want 1"),
          new Row(
              GOOD
                  + "containerMode: {type: dind}\n"
                  + "template: {spec: {containers: [{name: runner}, {name: dind}]}}",
              "in mode dind the container dind is a side-car"),
          new Row(
              GOOD + "template: {spec: {restartPolicy: OnFailure}}",
              "template.spec.restartPolicy has no effect"),
          new Row(
              GOOD + "template: {metadata: {name: a}}",
              "at '/template/metadata': additional properties 'name' not allowed"),
          new Row(
              GOOD
                  + "template: {spec: {containers:"
                  + " [{name: runner, env: [{name: ACTIONS_RUNNER_INPUT_JITCONFIG}]}]}}",
              "ACTIONS_RUNNER_INPUT_JITCONFIG of the container runner has no effect"),
          new Row(
              GOOD
                  + "proxy: {noProxy: [a]}\n"
                  + "template: {spec: {containers: [{name: runner, env: [{name: NO_PROXY}]}]}}",
              "NO_PROXY of the container runner has no effect"),
          new Row(GOOD + "labels: {a: [b]}", "at '/labels/a': got array"),
          new Row(GOOD + "protection: All", "'Busy', 'None'"),
          new Row(
              GOOD + window("start: 0 7 * *, minRunners: 1"),
              "schedule[0].start is '0 7 * *': write minute hour day month weekday"),
          new Row(
              GOOD + window("start: 0 7 * * 1, minRunners: 11"),
              "schedule[0].minRunners (11) is greater than maxRunners (10): give the window"),
          new Row(
              GOOD + window("start: 0 7 * * 1, minRunners: 11, maxRunners: 0"),
              "schedule[0].minRunners (11) is greater than maxRunners (0): give the window"),
          new Row(
              GOOD + window("start: 0 7 * * 1"), "schedule[0] has no effect: give it minRunners"),
          new Row(GOOD + window("minRunners: 1"), "at '/schedule/0': missing property 'start'"),
          new Row(GOOD + window("start: 0 7 * * 1, mode: Paused"), "'mode' not allowed"),
          new Row(GOOD + "listener: {}", "additional properties 'listener' not allowed"),
          new Row(GOOD + "listenerTemplate: {}", "'listenerTemplate' not allowed"),
          new Row(GOOD + "keyVault: {}", "additional properties 'keyVault' not allowed"));

  private static String window(String rest) {
    return "schedule: [{name: a, timeZone: UTC, duration: 1h, " + rest + "}]";
  }

  @TestFactory
  Stream<DynamicTest> whatIsRefused() {
    return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.says(), () -> refuses(row)));
  }

  private static void refuses(Row row) throws IOException {
    var values = Files.createTempFile(home, "refused", ".values.yaml");
    Files.writeString(values, row.values());
    var answer =
        SetChart.runWith(
            home, values, "template", "linux", SetChart.FOLDER, "--namespace", "teams");
    assertThat(answer.exit()).as(row.values()).isNotZero();
    assertThat(answer.err()).as(row.values()).contains(row.says());
  }
}
