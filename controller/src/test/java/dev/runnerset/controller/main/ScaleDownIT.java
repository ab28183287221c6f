package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scale-down through the whole controller, with statistics as an odd service sends them. */
class ScaleDownIT {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(10);

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private static boolean isRunning(EphemeralRunner runner) {
    return runner.statusOrNone().phase() == RunnerPhase.RUNNING;
  }

  /** Statistics come with messages only: the last ones met the runners before they were online. */
  @Test
  void aCountOfBeforeTheRunnersWereOnlineHoldsUpNoScaleDown() {
    world.start();
    world.startNode();
    world.create("linux", "minRunners: 4");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    await().until(() -> world.runners().stream().filter(ScaleDownIT::isRunning).count() == 4);
    var youngest =
        world.runners().stream()
            .map(r -> Objects.requireNonNull(r.getStatus().idleSince()))
            .max(java.util.Comparator.naturalOrder())
            .orElseThrow();
    await().until(() -> Clock.systemUTC().instant().isAfter(youngest.plusSeconds(2)));
    world.demand(
        "linux",
        """
        {"epoch": 1, "messageId": 2, "observedAt": "%s", "assigned": 0, "running": 0,
         "registered": 4, "busy": 0, "idle": 0}
        """
            .formatted(youngest.plusMillis(1_900)));
    world.spec("linux", "minRunners: 0");
    await().atMost(Duration.ofSeconds(20)).until(() -> world.runners().isEmpty());
    assertThat(world.control.violations()).isEmpty();
  }

  /** Two removals at once are enough for that, if the service takes less than 0.1 s for one. */
  @ParameterizedTest(name = "{0} ms a call")
  @ValueSource(ints = {0, 50})
  void thirtyIdleRunnersAmongTwentyBusyOnesAreGoneWithin2Seconds(int latency) {
    listen("minRunners: 50", "maxRunners: 50");
    try (var _ = new PlayedListener(world, "linux")) {
      await().atMost(MINUTE).until(() -> at("IDLE") == 50);
      world.control.submit(JobRequest.of(20, "linux", Duration.ofHours(1)));
      await().atMost(MINUTE).until(() -> busyMarks() == 20);
      world.latency = Duration.ofMillis(latency);
      atBest(
          "30 idle among 20 busy",
          latency,
          Duration.ofSeconds(2),
          () -> {
            world.spec("linux", "minRunners: 50");
            await().atMost(MINUTE).until(() -> at("IDLE") == 30);
            world.pass(Duration.ofSeconds(30)); // none has just become idle
            world.busyCounts("linux", 20, 30);
            world.spec("linux", "minRunners: 0");
            await().pollInterval(MOMENT).atMost(MINUTE).until(() -> at("IDLE") < 30);
            return () -> at("IDLE") == 0;
          });
      await().atMost(MINUTE).until(() -> world.runners().size() == 20);
      assertThat(at("BUSY")).isEqualTo(20);
      assertThat(world.control.violations()).isEmpty();
    }
  }

  /** Runners for a burst of jobs that are cancelled before they begin. */
  @Test
  void theSurplusOfABurstIsGoneWithin5Seconds() {
    var control = world.control;
    control.faults(FaultPlan.NONE.withHttp(HttpFault.hang("runner.getMessage")));
    listen("maxRunners: 30");
    try (var _ = new PlayedListener(world, "linux")) {
      atBest(
          "the surplus of a burst of 30",
          0,
          Duration.ofSeconds(5),
          () -> {
            var jobs = control.submit(JobRequest.of(30, "linux", Duration.ofHours(1)));
            await().atMost(MINUTE).until(() -> at("IDLE") == 30);
            jobs.forEach(control::cancel);
            return () -> world.runners().isEmpty();
          });
      assertThat(control.violations()).isEmpty();
    }
  }

  private void listen(String... spec) {
    world.start();
    world.startNode();
    world.create("linux", spec);
  }

  /**
   * Measures until it is soon enough, at most three times: once a busy machine may be slow.
   *
   * @param begin what comes before, and what must then become true
   */
  private static void atBest(
      String what, int latency, Duration bar, Supplier<Callable<Boolean>> begin) {
    var took = Duration.ofDays(1);
    for (int i = 0; i < 3 && took.compareTo(bar) > 0; i++) {
      var end = begin.get();
      var since = System.nanoTime();
      await().pollInterval(MOMENT).atMost(MINUTE).until(end);
      took = Duration.ofNanos(System.nanoTime() - since);
      System.out.printf("%s, %d ms a call: gone after %s%n", what, latency, took);
    }
    assertThat(took).as(what).isLessThanOrEqualTo(bar);
  }

  private long busyMarks() {
    return world.runners().stream().filter(r -> r.statusOrNone().isBusy()).count();
  }

  private long at(String state) {
    return world.control.runners().stream().filter(r -> r.state().equals(state)).count();
  }

  /** The last statistics are of a moment at which no runner was online; none come after them. */
  @Test
  void aServiceWithoutStatisticsOfTheirOwnAndSlowRunnersHoldUpNoScaleDown() {
    world.control.faults(FaultPlan.NONE.withStatistics(FaultPlan.StatisticsFault.WITH_JOBS_ONLY));
    world.start();
    world.startNode(Duration.ofSeconds(10));
    world.create("linux", "minRunners: 4");
    var listener = new PlayedListener(world, "linux");
    try (listener) {
      await().until(() -> world.runners().stream().filter(ScaleDownIT::isRunning).count() == 4);
      // cancelled before a runner is online: its messages carry what there is of statistics
      var job = world.control.submit(JobRequest.of(1, "linux", Duration.ofHours(1)));
      await().until(() -> world.control.runners().size() == 5);
      assertThat(world.control.cancel(job.getFirst())).isTrue();
      await().until(() -> at("IDLE") == 4);
      world.spec("linux", "minRunners: 0");
      await().atMost(Duration.ofSeconds(40)).until(() -> world.runners().isEmpty());
      assertThat(world.control.violations()).isEmpty();
    }
  }
}
