package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.controller.main.ControllerMain;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.listener.main.ListenerMain;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A release of {@code charts/runnerset-set} on a real server, from its installation to its end. The
 * identities are those of {@code charts/runnerset}; the programs run as processes with their
 * tokens, against the simulated service and node.
 */
@Tag("nightly")
final class RealSetReleaseIT {
  private static final String NAMESPACE = "teams";
  private static final String SET = "linux";
  private static final String TOKEN = "token-of-a-test";

  private static final List<AutoCloseable> OPEN = new ArrayList<>();
  private static TestCluster cluster;
  private static KubernetesClient kube;
  private static ActionsServiceServer service;
  private static Helm helm;

  @TempDir private static Path home;

  @BeforeAll
  static void start() throws IOException {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster =
        opened(TestCluster.start(TestCluster.Options.defaults().withYaml(List.of(Crds.yaml()))));
    kube = cluster.adminClient();
    service = opened(ActionsServiceServer.start(Options.accepting(TOKEN), Clock.systemUTC()));
    OPEN.add(
        SimulatedNode.start(
            Config.fromKubeconfig(cluster.adminKubeconfig()),
            NodeOptions.defaults().withDelays(Duration.ofMillis(250), Duration.ofMillis(250))));
    helm = Helm.on(cluster.adminKubeconfigFile(), home.resolve("helm"));
    helm.run(
            "install",
            "runnerset",
            Repository.chart("runnerset").toString(),
            "--namespace",
            "runnerset-system",
            "--create-namespace",
            "--set",
            "crds.install=false,replicaCount=0,listener.replicaCount=0")
        .orFail();
    run(ControllerMain.class, "runnerset-system", "runnerset-controller");
    run(ListenerMain.class, "runnerset-listener", "runnerset-listener");
  }

  @AfterAll
  static void stop() throws Exception {
    for (var open : OPEN.reversed()) {
      open.close();
    }
  }

  private static <T extends AutoCloseable> T opened(T part) {
    OPEN.add(part);
    return part;
  }

  private static void run(Class<?> program, String namespace, String account) throws IOException {
    var kubeconfig = home.resolve(account + ".kubeconfig");
    Files.writeString(kubeconfig, cluster.kubeconfigFor(namespace, account));
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                "--kubeconfig",
                kubeconfig.toString(),
                "--allowed-hosts=127.0.0.1",
                "--health-port",
                "0")
            .redirectErrorStream(true)
            .redirectOutput(home.resolve(account + ".log").toFile())
            .start();
    OPEN.add(() -> {
      process.destroy();
      process.waitFor();
    });
  }

  @Test
  void aReleaseMakesRunnersIsChangedInPlaceAndGoesByItself() throws IOException {
    helm("install", "minRunners=1").orFail();
    until("it is ready", set -> condition(set, "Ready").equals("True") && idle() == 1);
    assertThat(helm("upgrade", "minRunners=1", "githubConfigSecret.github_token=").err())
        .as("what is refused changes nothing")
        .contains("githubConfigSecret has no value");

    var before = set();
    helm("upgrade", "minRunners=2", "maxRunners=7", "resourceMeta.managerRoleBinding.labels.a=b")
        .orFail();
    until("it has two runners", set -> idle() == 2);
    assertThat(set().getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(set().getSpec().maxRunners()).isEqualTo(7);
    assertThat(set().getStatus().revision()).isEqualTo(before.getStatus().revision());

    helm("upgrade", "minRunners=2", "containerMode.type=dind").orFail();
    until(
        "the runners are of the new template",
        set ->
            !Objects.equals(set.getStatus().revision(), before.getStatus().revision())
                && idle() == 2
                && kube.pods().inNamespace(NAMESPACE).list().getItems().stream()
                    .allMatch(pod -> pod.getSpec().getInitContainers().size() == 2));

    service.control().submit(JobRequest.of(1, SET, Duration.ofSeconds(6)));
    await("a job runs")
        .atMost(Duration.ofSeconds(30))
        .until(() -> service.control().jobCounts().running() == 1);
    helm.run("uninstall", SET, "--namespace", NAMESPACE).orFail();
    await("set, runners and scale set are gone")
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(() -> assertThat(left()).isEmpty());
    assertThat(service.control().jobCounts().completed()).isEqualTo(1);
    assertThat(service.control().jobCounts().lost()).as("jobs that were lost").isZero();
    assertThat(service.control().violations()).isEmpty();
  }

  /** What is left of the release, in the cluster and at the service. */
  private static List<String> left() {
    var scaleSets = service.control().scaleSets().stream().map(s -> "scale set " + s.name());
    var runners = service.control().runners().stream().map(r -> "registration " + r.name());
    var objects =
        Stream.of(
                kube.resources(AutoScalingRunnerSet.class).inNamespace(NAMESPACE).list(),
                kube.pods().inNamespace(NAMESPACE).list(),
                kube.secrets().inNamespace(NAMESPACE).list(),
                kube.serviceAccounts().inNamespace(NAMESPACE).list(),
                kube.rbac().roles().inNamespace(NAMESPACE).list(),
                kube.rbac().roleBindings().inNamespace(NAMESPACE).list())
            .flatMap(list -> list.getItems().stream())
            .map(HasMetadata.class::cast)
            .filter(object -> !object.getMetadata().getName().equals("default"))
            .map(object -> object.getKind() + " " + object.getMetadata().getName());
    return Stream.of(scaleSets, runners, objects).flatMap(each -> each).toList();
  }

  private static Helm.Result helm(String command, String... values) {
    var words =
        new ArrayList<>(
            List.of(command, SET, SetChart.FOLDER, "--namespace", NAMESPACE, "--create-namespace"));
    if (command.equals("upgrade")) {
      words.remove("--create-namespace");
    }
    var all = new ArrayList<>(List.of("githubConfigUrl=" + service.configUrl("my-org")));
    all.add("githubConfigSecret.github_token=" + TOKEN);
    all.addAll(List.of(values));
    all.forEach(value -> words.addAll(List.of("--set", value)));
    return helm.run(words.toArray(String[]::new));
  }

  private static AutoScalingRunnerSet set() {
    return kube.resources(AutoScalingRunnerSet.class).inNamespace(NAMESPACE).withName(SET).get();
  }

  private static long idle() {
    return service.control().runners().stream().filter(r -> r.state().equals("IDLE")).count();
  }

  private static void until(String what, Predicate<AutoScalingRunnerSet> holds) throws IOException {
    try {
      await(what).atMost(Duration.ofSeconds(60)).until(() -> holds.test(set()));
    } catch (ConditionTimeoutException e) {
      var log = Files.readString(home.resolve("runnerset-controller.log"));
      throw new AssertionError(
          set().getStatus() + "\n" + log.substring(Math.max(0, log.length() - 3000)), e);
    }
  }

  private static String condition(AutoScalingRunnerSet set, String type) {
    return set.getStatus() == null
        ? ""
        : set.getStatus().conditions().stream()
            .filter(c -> c.getType().equals(type))
            .map(c -> c.getStatus())
            .findFirst()
            .orElse("");
  }
}
