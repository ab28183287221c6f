package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What helm makes of {@code charts/runnerset-set}, without a cluster. Each file {@code
 * NAME.values.yaml} of {@code testdata} has a file {@code NAME.golden.yaml} with the whole result;
 * with {@code -Drunnerset.write=true} this test writes them.
 */
final class SetChartIT {
  private static final String RUNNER = "AutoScalingRunnerSet /spec/template/spec/containers/0";
  private static final String POD = "AutoScalingRunnerSet /spec/template/spec";

  @TempDir private static Path home;

  /**
   * One values file.
   *
   * @param shows the requirement
   * @param facts what must be in the result whatever the golden file says: a kind, a JSON pointer
   *     and the value there; or a kind and {@code none}
   */
  private record Row(String name, String shows, List<String> facts) {
    Row(String name, String shows, String... facts) {
      this(name, shows, List.of(facts));
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "token",
              "a token becomes a secret that the set names",
              "Secret /metadata/name linux-github",
              "Secret /data/github_token dG9rZW4tb2YtYS10ZXN0",
              "AutoScalingRunnerSet /spec/githubConfigSecret/name linux-github",
              "AutoScalingRunnerSet /spec/minRunners 2",
              "AutoScalingRunnerSet /spec/maxRunners 20"),
          new Row(
              "app",
              "the three values of an App become a secret; a number of many digits keeps them",
              "Secret /data/github_app_id MTIzNDU2Nw==",
              "Secret /data/github_app_installation_id ODc2NTQzMjE=",
              "Secret /data/github_token ",
              "AutoScalingRunnerSet /spec/githubConfigSecret/name linux-github"),
          new Row(
              "existing-secret",
              "a text names a secret that is there, and none is made",
              "Secret none",
              "AutoScalingRunnerSet /spec/githubConfigSecret/name github",
              "AutoScalingRunnerSet /spec/runnerScaleSetName linux",
              "ServiceAccount /automountServiceAccountToken false",
              POD + "/serviceAccountName linux-no-permission",
              POD + "/automountServiceAccountToken "),
          new Row(
              "enterprise",
              "an enterprise on a server of one's own, and a runner group",
              "AutoScalingRunnerSet /spec/githubConfigUrl"
                  + " https://ghes.example.com/enterprises/my-enterprise",
              "AutoScalingRunnerSet /spec/runnerGroup builds"),
          new Row(
              "data-residency",
              "an organization on ghe.com",
              "AutoScalingRunnerSet /spec/githubConfigUrl https://my-company.ghe.com/my-org"),
          new Row(
              "names-and-labels",
              "names, the namespace and labels of all and of single objects; nobody overrides the"
                  + " labels of Helm",
              "AutoScalingRunnerSet /metadata/name gpu",
              "AutoScalingRunnerSet /metadata/namespace gpu-runners",
              "AutoScalingRunnerSet /metadata/labels/team vision-set",
              "AutoScalingRunnerSet /metadata/labels/app.kubernetes.io~1managed-by Helm",
              "AutoScalingRunnerSet /spec/runnerScaleSetName GPU_large.v2",
              "AutoScalingRunnerSet /spec/labels/1 cuda-12",
              "Secret /metadata/annotations/cost-center 4711",
              "RoleBinding /metadata/namespace gpu-runners",
              "ServiceAccount /metadata/annotations/eks.amazonaws.com~1role-arn"
                  + " arn:aws:iam::1:role/builds",
              "AutoScalingRunnerSet /spec/template/metadata/labels/team vision"),
          new Row(
              "capitals",
              "a name of the service that Kubernetes refuses is spelled anew for the object alone",
              "AutoScalingRunnerSet /metadata/name linux-x64",
              "AutoScalingRunnerSet /spec/runnerScaleSetName Linux_X64"),
          new Row(
              "life",
              "mode, deadlines, retention and age collection; what is not set is absent",
              "AutoScalingRunnerSet /spec/mode Paused",
              "AutoScalingRunnerSet /spec/adoptScaleSetId 1234567",
              "AutoScalingRunnerSet /spec/deadlines/scheduling 30m",
              "AutoScalingRunnerSet /spec/deadlines/registration ",
              "AutoScalingRunnerSet /spec/retention/failedLimit 50",
              "AutoScalingRunnerSet /spec/retention/succeededLimit ",
              "AutoScalingRunnerSet /spec/garbageCollection/afterwards Release",
              "AutoScalingRunnerSet /spec/runnerVersion 2.335.1"),
          new Row(
              "schedule",
              "a limit of a window that is not set is absent; 0 is set",
              "AutoScalingRunnerSet /spec/schedule/0/start 0 7 * * 1-5",
              "AutoScalingRunnerSet /spec/schedule/0/maxRunners 200",
              "AutoScalingRunnerSet /spec/schedule/1/minRunners 0",
              "AutoScalingRunnerSet /spec/schedule/1/maxRunners "),
          new Row(
              "node-selection",
              "node selection stands in the template; a runner without image gets the usual one",
              POD + "/nodeSelector/kubernetes.io~1arch arm64",
              POD + "/tolerations/0/key builds",
              POD + "/imagePullSecrets/0/name registry",
              RUNNER + "/image ghcr.io/actions/actions-runner:latest",
              RUNNER + "/command/0 /home/runner/run.sh",
              RUNNER + "/resources/limits/memory 4Gi"),
          new Row(
              "dind",
              "the daemon is a native side-car with a startup probe, and shares three volumes",
              POD + "/initContainers/0/name init-dind-externals",
              POD + "/initContainers/0/image ghcr.io/actions/actions-runner:latest",
              POD + "/initContainers/1/name dind",
              POD + "/initContainers/1/restartPolicy Always",
              POD + "/initContainers/1/securityContext/privileged true",
              POD + "/initContainers/1/startupProbe/exec/command/1 info",
              POD + "/initContainers/1/env/0/value 123",
              POD + "/volumes/0/name work",
              POD + "/volumes/1/name dind-sock",
              POD + "/volumes/2/name dind-externals",
              RUNNER + "/env/0/value unix:///var/run/docker.sock",
              RUNNER + "/env/1/value 120",
              RUNNER + "/volumeMounts/1/mountPath /var/run",
              POD + "/serviceAccountName linux-no-permission"),
          new Row(
              "dind-own-parts",
              "image, arguments, variables, mounts and volumes of the user win by their names",
              POD + "/initContainers/1/image docker:28.1-dind",
              POD + "/initContainers/1/args/3 --mtu=1400",
              POD + "/initContainers/1/env/0/value 1001",
              POD + "/initContainers/1/env/1 ",
              POD + "/initContainers/1/securityContext/privileged true",
              POD + "/initContainers/1/restartPolicy Always",
              POD + "/initContainers/2/name warm-up",
              POD + "/initContainers/0/image registry.example/runner:2.335.1",
              POD
                  + "/volumes/0/ephemeral/volumeClaimTemplate/spec/resources/requests/storage 100Gi",
              RUNNER + "/env/0/value 300",
              RUNNER + "/volumeMounts/0/name cache",
              RUNNER + "/volumeMounts/1/name dind-sock",
              RUNNER + "/volumeMounts/2 ",
              RUNNER + "/command "),
          new Row(
              "kubernetes",
              "hooks, a claim for the work volume, and an account that may run pods",
              RUNNER + "/env/0/value /home/runner/k8s/index.js",
              RUNNER + "/env/1/valueFrom/fieldRef/fieldPath metadata.name",
              RUNNER + "/env/2/name ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER",
              RUNNER + "/env/2/value true",
              POD + "/volumes/0/ephemeral/volumeClaimTemplate/spec/storageClassName fast",
              POD + "/serviceAccountName linux-kube-mode",
              POD + "/automountServiceAccountToken true",
              "ServiceAccount /automountServiceAccountToken false",
              "Role:linux-kube-mode /rules/3/resources/0 jobs",
              "RoleBinding:linux-kube-mode /subjects/0/name linux-kube-mode"),
          new Row(
              "kubernetes-own-account",
              "with an account of the user no account, role or binding is made; its volume is the"
                  + " work volume",
              "ServiceAccount none",
              "Role:linux-kube-mode none",
              "RoleBinding:linux-kube-mode none",
              POD + "/serviceAccountName builds",
              POD + "/automountServiceAccountToken true",
              RUNNER + "/env/0/value false",
              POD + "/volumes/1 "),
          new Row(
              "kubernetes-novolume",
              "hooks without a volume, the image that they copy from, rules of the user, and the hook"
                  + " extension",
              RUNNER + "/env/0/value /home/runner/k8s-novolume/index.js",
              RUNNER + "/env/1/name ACTIONS_RUNNER_IMAGE",
              RUNNER + "/env/1/value ghcr.io/actions/actions-runner:latest",
              RUNNER + "/env/4/name ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE",
              RUNNER + "/volumeMounts/0/name hook-extension",
              RUNNER + "/volumeMounts/1 ",
              "ConfigMap /metadata/name linux-hook-extension",
              "Role:linux-kube-mode /rules/4/resources/0 configmaps",
              "Role:linux-kube-mode /rules/5 "),
          new Row(
              "certificate",
              "the certificate is the set's, and is mounted into the runner",
              "AutoScalingRunnerSet /spec/githubServerTLS/certificateFrom/configMapKeyRef/key ca.crt",
              RUNNER + "/env/0/name NODE_EXTRA_CA_CERTS",
              RUNNER + "/env/0/value /usr/local/share/ca-certificates/ca.crt",
              RUNNER + "/env/1/name RUNNER_UPDATE_CA_CERTS",
              RUNNER + "/volumeMounts/0/subPath ca.crt",
              POD + "/volumes/0/configMap/name company-ca"),
          new Row(
              "certificate-not-mounted",
              "the certificate is the set's alone where runnerMountPath is null",
              "AutoScalingRunnerSet /spec/githubServerTLS/certificateFrom/configMapKeyRef/name"
                  + " company-ca",
              RUNNER + "/env ",
              POD + "/volumes "),
          new Row(
              "proxy",
              "proxies as the set names them, with the name of a secret",
              "AutoScalingRunnerSet /spec/proxy/http/url http://proxy.example:3128",
              "AutoScalingRunnerSet /spec/proxy/http/credentialSecretRef ",
              "AutoScalingRunnerSet /spec/proxy/https/credentialSecretRef/name proxy-login",
              "AutoScalingRunnerSet /spec/proxy/noProxy/1 .cluster.local"));

  @Test
  void eachValuesFileHasARow() throws IOException {
    try (Stream<Path> files = Files.list(SetChart.TESTDATA)) {
      assertThat(files.map(f -> f.getFileName().toString()).filter(f -> f.contains(".values.")))
          .containsExactlyInAnyOrderElementsOf(
              ROWS.stream().map(row -> row.name() + ".values.yaml").toList());
    }
  }

  @TestFactory
  Stream<DynamicTest> whatIsRendered() {
    return ROWS.stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.name() + ": " + row.shows(),
                () -> {
                  var text = SetChart.rendered(home, row.name());
                  for (var fact : row.facts()) {
                    check(text, fact);
                  }
                  var golden = SetChart.TESTDATA.resolve(row.name() + ".golden.yaml");
                  if (Boolean.getBoolean("runnerset.write")) {
                    Files.writeString(golden, text);
                  }
                  assertThat(text).isEqualTo(Files.readString(golden));
                }));
  }

  @TestFactory
  Stream<DynamicTest> helmFindsNothingToComplainAbout() {
    return ROWS.stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.name(),
                () ->
                    assertThat(
                            SetChart.runWith(
                                    home,
                                    SetChart.values(row.name()),
                                    "lint",
                                    "--strict",
                                    SetChart.FOLDER)
                                .orFail()
                                .out())
                        .contains("1 chart(s) linted, 0 chart(s) failed")));
  }

  private static void check(String text, String fact) {
    var parts = fact.split(" ", 3);
    var object =
        Helm.objects(text).stream()
            .filter(o ->
                parts[0].equals(o.getKind())
                    || parts[0].equals(o.getKind() + ":" + o.getMetadata().getName()))
            .findFirst();
    if (parts[1].equals("none")) {
      assertThat(object).as(fact).isEmpty();
      return;
    }
    assertThat(object).as(fact).isPresent();
    JsonNode tree = new ObjectMapper().valueToTree(object.get());
    var found = tree.at(parts[1]);
    assertThat(found.isContainerNode() ? found.toString() : found.asText())
        .as(fact)
        .isEqualTo(parts[2]);
  }
}
