package dev.runnerset.e2e.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.CiTools;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes both programs in a burst of jobs with faults: each query of the
 * dashboards has data, the alerts of the faults fire, and no other one does. The times of the rules
 * are shortened. The test prints the figures.
 */
@Tag("nightly")
final class PrometheusIT {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** For so long the alerts must be the expected ones and no others. */
  private static final Duration STAYS = Duration.ofSeconds(10);

  private static final String WRONG = "wrong-secret";
  private static final String PAUSED = "paused";
  private static final String FULL = "full";
  private static final String FAILING = "failing";

  private static final Set<String> EXPECTED =
      Set.of(
          "RunnersetNotReady ns-wrong-secret/wrong-secret",
          "RunnersetNotRegistered ns-wrong-secret/wrong-secret",
          "RunnersetNotListening ns-wrong-secret/wrong-secret",
          "RunnersetStalled ns-wrong-secret/wrong-secret",
          "RunnersetPaused demo/paused",
          "RunnersetJobsWait demo/full",
          "RunnersetNotReady demo/failing",
          "RunnersetRunnersFailing demo/failing",
          "RunnersetJobLost demo/linux");

  @TempDir Path folder;

  /** The rules with three seconds for each time, and ten for the age of a waiting job. */
  private Path shortened() throws IOException {
    var rules = RepositoryFiles.read("docs/alerts/runnerset.rules.yaml");
    return Files.writeString(
        folder.resolve("rules.yaml"),
        rules.replaceAll("for: \\d+[mhd]", "for: 3s").replace("> 900", "> 10"));
  }

  /** Of all sets; without the 0 that a field shows where there is nothing. */
  private static List<String> queries() {
    var found = new ArrayList<String>();
    for (var file : List.of("dashboard.json", "dashboard-usage.json")) {
      var text = RepositoryFiles.read("charts/runnerset/files/" + file);
      var expressions = Serialization.unmarshal(text, JsonNode.class).findValuesAsText("expr");
      expressions.stream()
          .map(each -> each.replaceAll("\\$\\w+", ".*").replace(" or vector(0)", ""))
          .forEach(found::add);
    }
    return found;
  }

  @Test
  void eachQueryHasDataAndTheAlertsAreThoseOfTheFaults() throws Exception {
    var program = CiTools.built("prometheus", folder);
    var progress = new Progress(System.out, false, CLOCK);
    try (var cluster = new EmbeddedCluster(false, folder, CLOCK);
        var world = new World(cluster, Play.SETTING, folder, progress, CLOCK)) {
      world.node().faults(PrometheusIT::fault);
      world.controller().start();
      world.listener().restartWith("--usage-repositories=*");
      world.make(2, 20);
      world.awaitReady(2);
      var ports = List.of(world.controller().port(), world.listener().port());
      try (var prometheus = Prometheus.start(program, ports, shortened(), folder)) {
        world.await("Prometheus is ready", PATIENCE, prometheus::isReady, () -> "it is not");
        burst(world);
        loseAJob(world);
        awaitAlerts(world, prometheus);
        verify(prometheus);
      }
    }
  }

  private static Optional<PodFault> fault(String pod) {
    return pod.startsWith(FAILING + "-")
        ? Optional.of(new PodFault.ExitsEarly(1))
        : Optional.empty();
  }

  /** Jobs for all sets, each but one with a fault of its own. */
  private static void burst(World world) {
    var url = world.configUrl("my-org");
    world.prepare("ns-" + WRONG);
    world
        .kube()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("github")
                .withNamespace("ns-" + WRONG)
                .endMetadata()
                .addToStringData("github_token", "not-" + World.TOKEN)
                .build())
        .update();
    world.makeSet("ns-" + WRONG, WRONG, url, "minRunners: 1, maxRunners: 2", World.CONTAINER);
    world.makeSet(PAUSED, url, "mode: Paused, maxRunners: 2", World.CONTAINER);
    world.makeSet(FULL, url, "minRunners: 0, maxRunners: 1", World.CONTAINER);
    world.makeSet(FAILING, url, "minRunners: 2, maxRunners: 4", World.CONTAINER);
    world.awaitListening(FULL);
    submit(world, JobRequest.of(3, FULL, Duration.ofMinutes(10)));
    for (int i = 0; i < 5; i++) {
      var jobs =
          JobRequest.of(6, World.SET, Duration.ofSeconds(2)).withSpread(Duration.ofSeconds(8));
      submit(world, jobs.withRepository(Optional.of("my-org/app-" + i)));
    }
    submit(world, JobRequest.of(3, World.SET, Duration.ofSeconds(1)).withResult("failed"));
    world.spec("{\"maxRunners\": 19}"); // its idle runners stay, and a pass is made
    world.pass(Duration.ofSeconds(25));
  }

  private static void submit(World world, JobRequest jobs) {
    var _ = world.service().submit(jobs);
  }

  private static void loseAJob(World world) {
    submit(world, JobRequest.of(1, World.SET, Duration.ofMinutes(10)));
    world.await("a runner has it", PATIENCE, () -> busy(world).isPresent(), () -> "none has");
    var name = busy(world).orElseThrow().getMetadata().getName();
    world.kube().pods().inNamespace(World.NAMESPACE).withName(name).withGracePeriod(0).delete();
  }

  private static Optional<EphemeralRunner> busy(World world) {
    return world.runners().stream()
        .filter(runner -> runner.getMetadata().getName().startsWith(World.SET + "-"))
        .filter(runner -> runner.statusOrNone().jobId() != null)
        .filter(runner -> runner.statusOrNone().phase() == RunnerPhase.RUNNING)
        .findFirst();
  }

  private static void awaitAlerts(World world, Prometheus prometheus) {
    world.await(
        "the alerts of the faults fire",
        PATIENCE,
        () -> firing(prometheus).containsAll(EXPECTED),
        () -> "firing: " + new TreeSet<>(firing(prometheus)));
    world.pass(STAYS);
  }

  private static Set<String> firing(Prometheus prometheus) {
    try {
      return prometheus.firing();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void verify(Prometheus prometheus) throws IOException {
    var queries = queries();
    var empty = new ArrayList<String>();
    for (var query : queries) {
      boolean hasData =
          prometheus.query(query).stream()
              .anyMatch(series -> !series.at("/value/1").asText().equals("NaN"));
      if (!hasData) {
        empty.add(query);
      }
    }
    var firing = prometheus.firing();
    System.out.printf(
        "queries of the dashboards with data: %d of %d, without: %s; alerts that fire: %d%n",
        queries.size() - empty.size(), queries.size(), empty, firing.size());
    assertThat(queries).hasSizeGreaterThan(30);
    assertSoftly(softly -> {
      softly.assertThat(empty).as("queries without data").isEmpty();
      softly.assertThat(firing).as("alerts that fire").isEqualTo(EXPECTED);
    });
  }
}
