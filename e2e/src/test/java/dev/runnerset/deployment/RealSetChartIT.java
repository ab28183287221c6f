package dev.runnerset.deployment;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The golden files of {@code charts/runnerset-set} on a real server: each object is taken with
 * strict fields, and so is the pod that the controller makes of the template.
 */
final class RealSetChartIT {
  private static final Map<String, String> FOLDER_BY_KIND =
      Map.of(
          "Secret", "/api/v1/namespaces/%s/secrets",
          "ConfigMap", "/api/v1/namespaces/%s/configmaps",
          "ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts",
          "Pod", "/api/v1/namespaces/%s/pods",
          "NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/%s/networkpolicies",
          "Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles",
          "RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings",
          "AutoScalingRunnerSet",
              "/apis/runnerset.dev/v1alpha1/namespaces/%s/autoscalingrunnersets");

  private static TestCluster cluster;
  private static KubernetesClient admin;

  @TempDir private static Path home;

  @BeforeAll
  static void start() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster = TestCluster.start(TestCluster.Options.defaults().withYaml(List.of(Crds.yaml())));
    admin = cluster.adminClient();
    admin
        .resource(
            """
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: builds}
            value: 1
            """)
        .create();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> theServerTakesWhatIsRenderedAndThePodThatIsMadeOfIt() throws Exception {
    try (Stream<Path> files = Files.list(SetChart.TESTDATA)) {
      return files
          .filter(file -> file.toString().endsWith(".golden.yaml"))
          .sorted()
          .toList()
          .stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> isTaken(file)));
    }
  }

  private static void isTaken(Path golden) throws Exception {
    var namespace = "golden-" + golden.getFileName().toString().replaceFirst("\\..*", "");
    namespace(namespace);
    admin
        .resource(
            "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: builds, namespace: "
                + namespace
                + "}")
        .create(); // that one set names
    for (var object : Helm.objects(Files.readString(golden))) {
      object.getMetadata().setNamespace(namespace);
      post(object.getKind(), namespace, Serialization.asJson(object));
      if (object.getKind().equals("AutoScalingRunnerSet")) {
        post("Pod", namespace, Serialization.asJson(podOf(object)));
      }
    }
  }

  /** As the controller makes it for the first runner of a set. */
  private static Pod podOf(GenericKubernetesResource object) {
    var set = Serialization.unmarshal(Serialization.asJson(object), AutoScalingRunnerSet.class);
    var runner =
        Serialization.unmarshal(
            """
            apiVersion: runnerset.dev/v1alpha1
            kind: EphemeralRunner
            metadata: {name: linux-abc, namespace: %s, uid: a-uid}
            spec: {githubConfigUrl: "https://github.com/o", githubConfigSecret: {name: a}}
            """
                .formatted(object.getMetadata().getNamespace()),
            EphemeralRunner.class);
    return switch (RunnerPod.build(
        runner, requireNonNull(set.getSpec().template().podTemplate()), 1)) {
      case PodBuild.Built(var pod) -> pod;
      case PodBuild.Problem(var sentence) -> throw new AssertionError(sentence);
    };
  }

  /** Throws with the server's answer where it refuses the object, or does not know a field. */
  private static void post(String kind, String namespace, String body) {
    var folder = Objects.requireNonNull(FOLDER_BY_KIND.get(kind), kind);
    var path = folder.formatted(namespace) + "?fieldValidation=Strict";
    assertThat(admin.raw(path, "POST", body)).contains("\"uid\"");
  }

  private static void namespace(String name) {
    admin.resource("apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + "}").create();
  }

  /** P-G: a template that names another account would replace runners, and end their tokens. */
  @Test
  void anAccountWithALongNameFromAnOlderChartKeepsIt() throws Exception {
    namespace("long");
    var name = "linux-x64-large-memory-for-the-build-of-the-whole-thing-of-ours";
    admin
        .resource(
            """
            apiVersion: v1
            kind: ServiceAccount
            metadata:
              name: %s-kube-mode
              namespace: long
              labels: {app.kubernetes.io/managed-by: Helm}
              annotations: {meta.helm.sh/release-name: linux, meta.helm.sh/release-namespace: long}
            """
                .formatted(name))
        .create();
    install("long", SetChart.values("long-name")).orFail();
    var set = admin.resources(AutoScalingRunnerSet.class).inNamespace("long").withName(name).get();
    var pod = requireNonNull(set.getSpec().template().podTemplate()).getSpec();
    assertThat(pod.getServiceAccountName()).isEqualTo(name + "-kube-mode");
  }

  /** Its image ends at once, and each runner fails. */
  @Test
  void aRunnerWithoutACommandIsWarnedOf() throws Exception {
    namespace("silent");
    var values = "githubConfigUrl: https://github.com/o\ngithubConfigSecret: a\n";
    var container = "template: {spec: {containers: [{name: runner, image: a/actions-runner%s}]}}";
    var file = Files.createTempFile(home, "silent", ".values.yaml");
    var command = ", command: [/home/runner/run.sh]";
    Files.writeString(file, values + container.formatted(command));
    assertThat(install("silent", file, "--dry-run=server").orFail().out())
        .doesNotContain("WARNING");
    Files.writeString(file, values + container.formatted(""));
    assertThat(install("silent", file, "--dry-run=server").orFail().out())
        .contains("WARNING: the container runner has no command");
  }

  private static Helm.Result install(String namespace, Path values, String... more) {
    var words =
        Stream.of("install", "linux", SetChart.FOLDER, "-n", namespace, "--values=" + values);
    return Helm.on(cluster.adminKubeconfigFile(), home)
        .run(Stream.concat(words, Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void aFieldThatTheServerDoesNotKnowIsSeenHere() throws Exception {
    namespace("unknown");
    var golden = Files.readString(SetChart.TESTDATA.resolve("existing-secret.golden.yaml"));
    var set =
        Helm.objects(golden.replace("maxRunners: 10", "maxRunner: 10")).stream()
            .filter(o -> o.getKind().equals("AutoScalingRunnerSet"))
            .findFirst()
            .orElseThrow();
    set.getMetadata().setNamespace("unknown");
    assertThatThrownBy(() -> post("AutoScalingRunnerSet", "unknown", Serialization.asJson(set)))
        .hasMessageContaining("spec.maxRunner");
  }

  @Test
  void theNotesSayWhatJobsAskForAndWhereToLook() {
    assertThat(notes("names-and-labels"))
        .contains("runs-on: GPU_large.v2", "runs-on: [GPU_large.v2, gpu, cuda-12]")
        .contains("kubectl describe ars gpu --namespace gpu-runners")
        .doesNotContain("must have the credentials");
    assertThat(notes("existing-secret"))
        .contains("secret github in the namespace teams must have the credentials")
        .doesNotContain("Each job needs");
    assertThat(notes("kubernetes-novolume")).contains("Each job needs a \"container:\"");
  }

  private static String notes(String values) {
    var file = SetChart.values(values).toString();
    return Helm.on(cluster.adminKubeconfigFile(), home)
        .run("install", "linux", SetChart.FOLDER, "--dry-run=client", "-n", "teams", "-f", file)
        .orFail()
        .out()
        .split("NOTES:")[1];
  }
}
