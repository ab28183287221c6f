package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The system chart on a real control plane of its own, since it installs the kinds: from the chart
 * of an earlier commit to the end of the release, with objects of a user that must survive all.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RealChartIT {
  private static final Path CHART = RepositoryFiles.chart("runnerset");
  private static final String SYSTEM = "runnerset-system";
  private static final String LISTENER = "runnerset-listener";
  private static final List<String> PROGRAMS =
      List.of(SYSTEM + "/runnerset-controller", LISTENER + "/runnerset-listener");
  private static final String USERS_OBJECTS =
      """
      apiVersion: runnerset.dev/v1alpha1
      kind: AutoScalingRunnerSet
      metadata: {name: linux, namespace: team-a, finalizers: [runnerset.dev/test]}
      spec:
        githubConfigUrl: https://github.com/my-org
        githubConfigSecret: {name: github}
        template: {spec: {containers: [{name: runner, image: runner}]}}
      ---
      apiVersion: runnerset.dev/v1alpha1
      kind: EphemeralRunner
      metadata: {name: linux-1, namespace: team-a, finalizers: [runnerset.dev/test]}
      spec:
        githubConfigUrl: https://github.com/my-org
        githubConfigSecret: {name: github}
        runnerScaleSetId: 1
        template: {spec: {containers: [{name: runner, image: runner}]}}
      """;

  @TempDir private static Path home;
  private static TestCluster cluster;
  private static KubernetesClient client;
  private static Helm helm;
  private static Shell shell;
  private static List<String> uidsOfTheUser = List.of();

  @BeforeAll
  static void start() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster = TestCluster.start(TestCluster.Options.defaults());
    client = cluster.adminClient();
    helm = Helm.on(cluster.adminKubeconfigFile(), home);
    shell = new Shell(cluster, home);
    // A namespace as strict as Kubernetes knows: pods that ask for more are not made there.
    for (var name : List.of(SYSTEM, LISTENER, "team-a")) {
      client
          .resource(
              new NamespaceBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                  .endMetadata()
                  .build())
          .create();
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void theChartOfAnEarlierCommitIsInstalledAndAUserMakesASet() {
    var earlier = RepositoryFiles.ROOT.resolve("e2e/src/test/resources/previous/runnerset.tgz");
    helm.run(
            "install",
            "runnerset",
            earlier.toString(),
            "-n",
            SYSTEM,
            "--set=listener.createNamespace=false")
        .orFail();
    awaitKinds();
    shell.kubectlWith(USERS_OBJECTS, "create", "--validate=strict").done();
    uidsOfTheUser = uidsOfTheUser();
    assertThat(uidsOfTheUser).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  @Order(2)
  void anUpgradeDeletesNothingAndRollsBothPrograms() {
    var kinds = uidsOfKinds();
    var deployments = uids(deployments());
    upgrade(CHART);
    assertThat(uidsOfTheUser()).isEqualTo(uidsOfTheUser);
    assertThat(uidsOfKinds()).isEqualTo(kinds);
    assertThat(uids(deployments())).isEqualTo(deployments);
    assertThat(deployments())
        .allSatisfy(d ->
            assertThat(d.getSpec().getTemplate().getSpec().getTerminationGracePeriodSeconds())
                .isEqualTo(30));
  }

  /** No node runs them, but the API server took them: account, security context and limits. */
  @Test
  @Order(3)
  void bothProgramsGetTheirPodsInNamespacesThatTakeRestrictedPodsOnly() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          for (var program : PROGRAMS) {
            var place = program.split("/");
            assertThat(
                    client.pods().inNamespace(place[0]).list().getItems().stream()
                        .filter(pod -> pod.getSpec().getTerminationGracePeriodSeconds() == 30)
                        .filter(pod -> pod.getSpec().getServiceAccountName().equals(place[1]))
                        .filter(
                            pod -> !pod.getSpec().getContainers().getFirst().getArgs().isEmpty()))
                .hasSizeGreaterThanOrEqualTo(2);
          }
        });
  }

  /** Helm never changes what a chart has in its folder {@code crds}; hence this test. */
  @Test
  @Order(4)
  @Tag("nightly")
  void anUpgradeChangesTheKinds() throws IOException {
    var next = copyOfTheChart();
    var file = next.resolve("files/crds/autoscalingrunnersets.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst(
                "(?m)^( +)maxRunners:\n",
                "$1fieldOfTheFuture:\n$1  type: \"string\"\n$1maxRunners:\n"));
    upgrade(next);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(
                    Objects.requireNonNull(
                            client
                                .apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName("autoscalingrunnersets.runnerset.dev")
                                .get()
                                .getSpec()
                                .getVersions()
                                .getFirst()
                                .getSchema()
                                .getOpenAPIV3Schema()
                                .getProperties()
                                .get("spec"))
                        .getProperties())
                .containsKey("fieldOfTheFuture"));
    upgrade(CHART);
    assertThat(uidsOfTheUser()).isEqualTo(uidsOfTheUser);
  }

  @Test
  @Order(5)
  @Tag("nightly")
  void aSecondReleaseForTheSameSetsIsRefused() {
    var second =
        helm.run("install", "other", CHART.toString(), "-n", "other", "--create-namespace", own());
    assertThat(second.exit()).isNotZero();
    assertThat(second.err()).contains("namespace " + SYSTEM + " has a controller of runnerset");
    var withoutKinds =
        helm.run(
            "install",
            "other",
            CHART.toString(),
            "-n",
            "other",
            "--set=crds.install=false",
            "--set=listener.namespace=other");
    assertThat(withoutKinds.exit()).isNotZero();
    assertThat(withoutKinds.err()).contains("set flags.watchSingleNamespace here and there");
    assertThat(client.apps().deployments().inNamespace("other").list().getItems()).isEmpty();
  }

  /** Both would see the sets of that namespace. */
  @Test
  @Order(5)
  @Tag("nightly")
  void aReleaseForOneNamespaceBesideOneForAllIsRefusedWhereThatIsSeen() {
    var seen = beside("--set=shield.admissionPolicy=true");
    assertThat(seen.exit()).isNotZero();
    assertThat(seen.err())
        .contains("the controller of namespace " + SYSTEM + " watches all namespaces");
    assertThat(client.apps().deployments().inNamespace("beside").list().getItems()).isEmpty();

    // who makes nothing cluster-scoped may not be allowed to look: the sets tell (WR11)
    beside("--set=shield.admissionPolicy=false").orFail();
    assertThat(client.apps().deployments().inNamespace("beside").list().getItems()).hasSize(2);
    helm.run("uninstall", "beside", "-n", "beside", "--wait", "--timeout=60s").orFail();
    assertThat(deployments()).hasSize(2);
  }

  private static Helm.Result beside(String policy) {
    return helm.run(
        "install",
        "beside",
        CHART.toString(),
        "-n",
        "beside",
        "--create-namespace",
        "--set=crds.install=false",
        "--set=listener.namespace=beside",
        "--set=flags.watchSingleNamespace=beside",
        policy);
  }

  static List<String> valuesFiles() throws IOException {
    return SystemChartIT.valuesFiles();
  }

  /** Kinds of the Prometheus operator are not on this server. */
  @Order(6)
  @ParameterizedTest
  @MethodSource("valuesFiles")
  @Tag("nightly")
  void theServerKnowsEachFieldOfEachObject(String name) throws IOException {
    var yaml =
        helm.run(
                "template",
                "runnerset",
                CHART.toString(),
                "--namespace=" + SYSTEM,
                "--values=" + SystemChartIT.VALUES.resolve(name + ".values.yaml"))
            .orFail()
            .out();
    var known =
        Stream.of(yaml.split("(?m)^---$"))
            .filter(text -> !Helm.objects(text).isEmpty())
            .filter(text -> !text.contains("apiVersion: monitoring.coreos.com/v1"))
            .collect(Collectors.joining("\n---\n"));
    assertThat(Helm.objects(known)).hasSizeGreaterThan(8);
    var apply =
        new String[] {
          "apply", "--server-side", "--dry-run=server", "--force-conflicts", "--validate=strict"
        };
    shell.kubectlWith(known, apply).done();
    var typo = known.replace("enableServiceLinks:", "enableServiceLink:");
    shell.kubectlWith(typo, apply).refusedWith("enableServiceLink");
  }

  @Test
  @Order(7)
  @Tag("nightly")
  void anUninstallLeavesTheKindsAndTheSetsAndNothingThatHangs() {
    helm.run("uninstall", "runnerset", "-n", SYSTEM, "--wait", "--timeout=60s").orFail();
    assertThat(uidsOfTheUser()).isEqualTo(uidsOfTheUser);
    assertThat(deployments()).isEmpty();
    assertThat(left())
        .allSatisfy(each ->
            assertThat(each.getMetadata().getDeletionTimestamp()).as(each.getKind()).isNull());
    assertThat(client.rbac().clusterRoles().withName("runnerset-controller").get()).isNull();
  }

  @Test
  @Order(8)
  @Tag("nightly")
  void anInstallOverTheKindsThatStayedTakesUpTheSets() {
    helm.run("install", "runnerset", CHART.toString(), "-n", SYSTEM, own()).orFail();
    assertThat(uidsOfTheUser()).isEqualTo(uidsOfTheUser);
    assertThat(deployments()).hasSize(2);
  }

  @Test
  @Order(9)
  @Tag("nightly")
  void anotherNameTakesOverTheKindsThatStayedOnlyWithTakeOwnership() {
    helm.run("uninstall", "runnerset", "-n", SYSTEM, "--wait", "--timeout=60s").orFail();
    var call = new String[] {"install", "renamed", CHART.toString(), "-n", SYSTEM, own()};
    assertThat(helm.run(call).err()).contains("invalid ownership metadata");
    var takingOwnership = Stream.concat(Stream.of(call), Stream.of("--take-ownership"));
    helm.run(takingOwnership.toArray(String[]::new)).orFail();
    assertThat(uidsOfTheUser()).isEqualTo(uidsOfTheUser);
  }

  private static void upgrade(Path chart) {
    helm.run("upgrade", "runnerset", chart.toString(), "-n", SYSTEM, own()).orFail();
    awaitKinds();
  }

  /** The namespace with its label is this test's. */
  private static String own() {
    return "--set=listener.createNamespace=false";
  }

  private static void awaitKinds() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> {
          var kinds = kinds();
          return kinds.size() == 4
              && kinds.stream()
                  .allMatch(kind ->
                      kind.getStatus().getConditions().stream()
                          .anyMatch(c ->
                              c.getType().equals("Established") && c.getStatus().equals("True")));
        });
  }

  private static List<CustomResourceDefinition> kinds() {
    return client.apiextensions().v1().customResourceDefinitions().list().getItems();
  }

  private static List<String> uidsOfKinds() {
    return uids(kinds());
  }

  private static List<Deployment> deployments() {
    return client.apps().deployments().inAnyNamespace().list().getItems();
  }

  private static List<String> uidsOfTheUser() {
    return Stream.of("AutoScalingRunnerSet", "EphemeralRunner")
        .flatMap(kind -> objects(kind).stream())
        .map(object -> object.getMetadata().getUid())
        .toList();
  }

  private static List<GenericKubernetesResource> objects(String kind) {
    return client
        .genericKubernetesResources("runnerset.dev/v1alpha1", kind)
        .inNamespace("team-a")
        .list()
        .getItems();
  }

  private static List<HasMetadata> left() {
    var all = new ArrayList<HasMetadata>(kinds());
    all.addAll(client.namespaces().list().getItems());
    all.addAll(objects("AutoScalingRunnerSet"));
    all.addAll(objects("EphemeralRunner"));
    return all;
  }

  private static List<String> uids(List<? extends HasMetadata> objects) {
    return objects.stream().map(object -> object.getMetadata().getUid()).sorted().toList();
  }

  private static Path copyOfTheChart() throws IOException {
    var copy = home.resolve("next");
    try (Stream<Path> files = Files.walk(CHART)) {
      for (var file : files.toList()) {
        Files.copy(file, copy.resolve(CHART.relativize(file).toString()));
      }
    }
    return copy;
  }
}
