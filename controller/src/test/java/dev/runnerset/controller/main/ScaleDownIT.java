package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Scale-down through the whole controller, with statistics as an odd service sends them. */
class ScaleDownIT {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(10);

  private final ControllerWorld world = new ControllerWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  private static boolean isRunning(EphemeralRunner runner) {
    return runner.statusOrNone().phase() == RunnerPhase.RUNNING;
  }

  /** Statistics come with messages only: the last ones met the runners before they were online. */
  @Test
  void aCountOfBeforeTheRunnersWereOnlineHoldsUpNoScaleDown() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.startNode();
    world.create("linux", "minRunners: 4");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> world.runners().stream().filter(ScaleDownIT::isRunning).count() == 4);
    var youngest =
        world.runners().stream()
            .map(r -> Objects.requireNonNull(r.getStatus().idleSince()))
            .max(java.util.Comparator.naturalOrder())
            .orElseThrow();
    await().until(() -> Clock.systemUTC().instant().isAfter(youngest.plusSeconds(2)));
    world.patch(
        Objects.requireNonNull(world.runnerSet("linux")),
        """
        {"demand": {"epoch": 1, "messageId": 2, "observedAt": "%s", "assigned": 0, "running": 0,
         "registered": 4, "busy": 0, "idle": 0}}
        """
            .formatted(youngest.plusMillis(1_900)));
    world.spec("linux", "minRunners: 0");
    await().atMost(Duration.ofSeconds(20)).until(() -> world.runners().isEmpty());
    assertThat(world.service.control().violations()).isEmpty();
  }

  /**
   * Two removals at once are enough for that while the service takes less than 0.1 s for one
   * (docs/adr/0062).
   */
  @ParameterizedTest(name = "{0} ms a call")
  @ValueSource(ints = {0, 50})
  void thirtyIdleRunnersAmongTwentyBusyOnesAreGoneWithin2Seconds(int latency) {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.startNode();
    world.create("linux", "minRunners: 50", "maxRunners: 50");
    try (var _ = new PlayedListener(world, "linux")) {
      await().atMost(MINUTE).until(() -> at("IDLE") == 50);
      world.service.control().submit(JobRequest.of(20, "linux", Duration.ofHours(1)));
      await().atMost(MINUTE).until(() -> at("BUSY") == 20);
      await()
          .atMost(MINUTE)
          .until(() -> world.runners().stream().filter(r -> r.statusOrNone().isBusy()).count() == 20);
      world.latency = Duration.ofMillis(latency);
      world.pass(Duration.ofSeconds(30)); // none has just become idle
      world.spec("linux", "minRunners: 0");
      await().pollInterval(MOMENT).atMost(MINUTE).until(() -> at("IDLE") < 30);
      var begin = System.nanoTime();
      await().pollInterval(MOMENT).atMost(MINUTE).until(() -> at("IDLE") == 0);
      var took = Duration.ofNanos(System.nanoTime() - begin);
      LoggerFactory.getLogger(ScaleDownIT.class)
          .info("30 idle among 20 busy, {} ms a call: {}", latency, took);
      assertThat(took).isLessThan(Duration.ofSeconds(2));
      await().atMost(MINUTE).until(() -> world.runners().size() == 20);
      assertThat(world.service.control().violations()).isEmpty();
      assertThat(at("BUSY")).isEqualTo(20);
    }
  }

  private long at(String state) {
    return world.service.control().runners().stream().filter(r -> r.state().equals(state)).count();
  }

  /** The last statistics are of a moment at which no runner was online; none come after them. */
  @Test
  void aServiceWithoutStatisticsOfTheirOwnAndSlowRunnersHoldUpNoScaleDown() {
    world
        .service
        .control()
        .faults(FaultPlan.NONE.withStatistics(FaultPlan.StatisticsFault.WITH_JOBS_ONLY));
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.startNode(Duration.ofSeconds(10));
    world.create("linux", "minRunners: 4");
    var listener = new PlayedListener(world, "linux");
    try (listener) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> world.runners().stream().filter(ScaleDownIT::isRunning).count() == 4);
      // cancelled before a runner is online: its messages carry what there is of statistics
      var job = world.service.control().submit(JobRequest.of(1, "linux", Duration.ofHours(1)));
      await().until(() -> world.service.control().jobCounts().assigned() == 1);
      assertThat(world.service.control().cancel(job.getFirst())).isTrue();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> at("IDLE") == 4);
      world.spec("linux", "minRunners: 0");
      await().atMost(Duration.ofSeconds(40)).until(() -> world.runners().isEmpty());
      assertThat(world.service.control().violations()).isEmpty();
    }
  }
}
