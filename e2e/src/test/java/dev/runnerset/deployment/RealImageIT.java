package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.images.ContainerCommand;
import dev.runnerset.images.Program;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.testcluster.PlainManifests;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both programs run from their images as in pods, with the tokens of their service accounts, on a
 * real control plane: 50 sets, 200 jobs. Needs root, as {@link ContainerCommand} does.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("nightly")
final class RealImageIT {
  private static final int SETS = 50;
  private static final int JOBS_OF_A_SET = 4;
  private static final String NAMESPACE = "images";
  private static final String TOKEN = "image-token";

  /** Less than the 30 s that Kubernetes grants by default. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final Map<Program, ImageProcess> processes = new EnumMap<>(Program.class);
  private final Map<Program, Duration> readyAfter = new EnumMap<>(Program.class);
  private TestCluster cluster;
  private ActionsServiceServer service;
  private SimulatedNode node;

  private Path folder;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    folder = temporary;
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    ContainerCommand.unavailableReason().ifPresent(Assumptions::abort);
    // the cluster that other tests share has no deployments
    cluster =
        TestCluster.start(TestCluster.Options.defaults().withYaml(List.of(PlainManifests.all())));
    service = ActionsServiceServer.start(Options.accepting(TOKEN), Clock.systemUTC());
    var admin = Config.fromKubeconfig(cluster.adminKubeconfig());
    node = SimulatedNode.start(admin, NodeOptions.defaults().withNamespace(NAMESPACE));
    start(
        Program.CONTROLLER,
        ControllerSettings.CONTROLLER_NAMESPACE,
        ControllerSettings.CONTROLLER_SERVICE_ACCOUNT);
    start(
        Program.LISTENER,
        ControllerSettings.LISTENER_NAMESPACE,
        ControllerSettings.LISTENER_SERVICE_ACCOUNT);
    for (var program : Program.values()) {
      readyAfter.put(program, process(program).awaitReady());
      System.out.printf(
          "%s: %d ms of processor time until it is ready%n",
          program, process(program).cpu().toMillis());
    }
  }

  private void start(Program program, String namespace, String account) throws IOException {
    var home = Files.createDirectory(folder.resolve(program.toString()));
    var config = Config.fromKubeconfig(cluster.kubeconfigFor(namespace, account));
    var identity = Files.createDirectory(home.resolve("identity"));
    Files.writeString(identity.resolve("token"), config.getAutoOAuthToken());
    Files.writeString(identity.resolve("namespace"), namespace);
    Files.write(identity.resolve("ca.crt"), Base64.getDecoder().decode(config.getCaCertData()));
    var server = URI.create(config.getMasterUrl());
    var variables =
        Map.of(
            "KUBERNETES_SERVICE_HOST", server.getHost(),
            "KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()),
            "HOSTNAME", "runnerset-" + program + "-0");
    processes.put(
        program, ImageProcess.start(program, home, identity, variables, limitMebibytes(program)));
  }

  private ImageProcess process(Program program) {
    return Objects.requireNonNull(processes.get(program));
  }

  private static int limitMebibytes(Program program) {
    return program == Program.CONTROLLER ? 192 : 128;
  }

  @AfterAll
  void stop() {
    processes.values().forEach(ImageProcess::close);
    if (node != null) {
      node.close();
    }
    if (service != null) {
      service.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void fiftySetsRunTwoHundredJobs() {
    var kube = cluster.adminClient();
    kube.resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    kube.resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("github")
                .withNamespace(NAMESPACE)
                .endMetadata()
                .addToStringData("github_token", TOKEN)
                .build())
        .create();
    var bindings = PlainManifests.ofSetNamespace(NAMESPACE);
    for (var object : kube.load(text(bindings)).items()) {
      kube.resource(object).createOr(there -> there.update());
    }
    for (int i = 0; i < SETS; i++) {
      kube.resource(set("set-" + i)).create();
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> service.control().scaleSets().stream().filter(s -> s.capacity() != null).count(),
            count -> count == SETS);
    for (int i = 0; i < SETS; i++) {
      var _ =
          service.control().submit(JobRequest.of(JOBS_OF_A_SET, "set-" + i, Duration.ofSeconds(1)));
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> service.control().jobCounts().completed(), n -> n == SETS * JOBS_OF_A_SET);
    assertThat(service.control().jobCounts().lost()).isZero();
  }

  private static ByteArrayInputStream text(String yaml) {
    return new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8));
  }

  private AutoScalingRunnerSet set(String name) {
    var yaml =
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: %s, namespace: %s}
        spec:
          githubConfigUrl: %s
          githubConfigSecret: {name: github}
          maxRunners: 10
          template:
            spec:
              containers: [{name: runner, image: "ghcr.io/actions/actions-runner:2.338.1"}]
        """
            .formatted(name, NAMESPACE, service.configUrl("my-org"));
    return cluster
        .adminClient()
        .getKubernetesSerialization()
        .unmarshal(yaml, AutoScalingRunnerSet.class);
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  @Order(2)
  void itStaysWithinItsMemory(Program program) throws IOException {
    var process = process(program);
    System.out.printf(
        "%s: ready after %d ms; RSS %d MiB, %d MiB of it not from files, of %d MiB%n",
        program,
        Objects.requireNonNull(readyAfter.get(program)).toMillis(),
        process.mebibytes("VmHWM"),
        process.mebibytes("RssAnon"),
        limitMebibytes(program));
    // pages of files may be dropped and read again, and a node's programs share them
    assertThat(process.mebibytes("RssAnon")).isLessThan(limitMebibytes(program) * 19 / 20);
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  @Order(3)
  void itHasNoRightsOnItsMachine(Program program) throws IOException {
    var process = process(program);
    assertThat(process.status("Uid")).isEqualTo("65532\t65532\t65532\t65532");
    assertThat(process.status("Gid")).isEqualTo("65532\t65532\t65532\t65532");
    assertThat(process.status("Groups")).isIn("", "65532");
    assertThat(process.status("CapEff")).matches("0+");
    assertThat(process.status("CapPrm")).matches("0+");
    assertThat(process.status("NoNewPrivs")).isEqualTo("1");
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  @Order(4)
  void itEndsInOrderAndInTime(Program program) throws InterruptedException {
    var process = process(program);
    var took = process.end();
    System.out.printf("%s: ended %d ms after SIGTERM%n", program, took.toMillis());
    assertThat(took).isLessThan(GRACE);
    assertThat(process.exitCode()).as(process.log()).isIn(0, 143);
    assertThat(process.log()).doesNotContain("Read-only file system", "Permission denied");
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  @Order(5)
  void itHasWrittenNoFile(Program program) throws IOException {
    var home = folder.resolve(program.toString());
    try (var files = Files.walk(home.resolve("tmp"))) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(Files.readString(home.resolve("log"))).isNotBlank();
  }
}
