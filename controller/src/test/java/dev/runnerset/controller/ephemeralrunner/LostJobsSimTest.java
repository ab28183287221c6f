package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.fake;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which jobs are reported as lost, and how often, in virtual time (RN18, LV3). */
final class LostJobsSimTest {
  private static final int JOBS = 200;
  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(20);

  /**
   * One runner, from the end of its job on at {@link Situation#NOW}, until it is gone or forgotten.
   */
  private static final class World implements RunnerCaches, WriteCache, RunnerRemover {
    private final TestClock clock = new TestClock(Situation.NOW);
    private final TreeMap<Instant, Runnable> events = new TreeMap<>();
    private final EphemeralRunnerSet set;
    private final EphemeralRunner runner;
    private final boolean kept;
    private @Nullable Pod pod;
    private RunnerPass pass;
    private boolean isGone;
    private int reported;
    private @Nullable Instant reportedAt;
    private boolean registered = true;
    private long version = 2;

    World(boolean kept, boolean marked) {
      this.kept = kept;
      var situation = RunnerSituation.of("RUNNING running");
      if (kept) {
        situation.live(new Retention(null, null, 5, 5, Retention.PodPolicy.KEEP, null));
      }
      var observed = (marked ? situation.and("busy") : situation).observed();
      set = requireNonNull(observed.set());
      runner = observed.runner();
      runner.getMetadata().setResourceVersion("2");
      pod =
          Pods.running(
              new PodBuilder()
                  .withNewMetadata()
                  .withName("ci-1")
                  .withNamespace("ns")
                  .addToAnnotations(RunnerPod.RUNNER_ID, "7")
                  .withLabels(RunnerPod.labels(runner))
                  .addToLabels(Labels.PROTECTION, "None")
                  .withOwnerReferences(
                      new OwnerReferenceBuilder().withUid("uid-1").withController(true).build())
                  .endMetadata()
                  .withNewSpec()
                  .endSpec()
                  .build());
      pass = restarted();
    }

    private RunnerPass restarted() {
      var memories = new Memories();
      return new RunnerPass(
          new RunnerPassEnvironment(
              fake(RunnerObjects.class, this::answer),
              (failed, failure) -> failure,
              new ServiceCalls(new Memories(), Runnable::run, woken -> {}),
              (about, reason, message) -> {
                if (about instanceof EphemeralRunner && reason.word().equals("JobLost")) {
                  reported++;
                  reportedAt = clock.instant();
                }
              },
              Meter.series(),
              clock,
              LossBook.NONE),
          key -> fake(ActionsService.class, RunnerFixture::unexpected),
          this,
          new SharedWithSets(
              new RunnerExits(memories, changed -> {}),
              new NewRunners(),
              (namespace, name) -> Optional.of(set),
              triggered -> {},
              new RunnerVerdicts(memories, overdue -> {}),
              new OpenGate(),
              memories));
    }

    World at(long millis, Runnable event) {
      events.merge(
          Situation.NOW.plusMillis(millis),
          event,
          (first, second) ->
              () -> {
                first.run();
                second.run();
              });
      return this;
    }

    World exitsAt(long millis, int code) {
      return at(millis, () -> pod = pod == null ? null : Pods.exited(pod, code));
    }

    World podGoesAt(long millis) {
      return at(millis, () -> pod = null);
    }

    World markedAt(long millis) {
      return at(millis, () -> change(status().toBuilder().jobId("job").build()));
    }

    World completedAt(long millis) {
      return at(
          millis,
          () -> {
            registered = false;
            var job = new RunnerJob(null, null, null, null, null, null, 5L);
            change(status().toBuilder().job(job).jobResult("succeeded").build());
          });
    }

    World restartsAt(long millis) {
      return at(millis, () -> pass = restarted());
    }

    /** Lives to the end; returns how often its job was reported as lost. */
    int reports() {
      for (long second = 0; second <= LONG.toSeconds() && !isGone; second += 30) {
        at(second * 1000, () -> {}); // whatever else brings a pass
      }
      var end = Situation.NOW.plus(LONG);
      while (!events.isEmpty() && !isGone && !events.firstKey().isAfter(end)) {
        var next = events.pollFirstEntry();
        clock.set(next.getKey());
        next.getValue().run();
        pass();
      }
      return reported;
    }

    private void pass() {
      deleteAsItsSetDoes();
      for (int i = 0; i < 10 && !isGone; i++) {
        var again = pass.run(cached(), this).at();
        if (again != null && again.isAfter(clock.instant())) {
          events.putIfAbsent(again, () -> {});
          return;
        }
        if (again == null) {
          return;
        }
      }
      assertThat(isGone).as("its passes come to an end").isTrue();
    }

    /** As a cache has it: nobody changes it. */
    private EphemeralRunner cached() {
      var copy = new EphemeralRunner();
      copy.setMetadata(new ObjectMetaBuilder(runner.getMetadata()).build());
      copy.setSpec(runner.getSpec());
      copy.setStatus(runner.getStatus());
      return copy;
    }

    /** The set deletes what it does not keep once the job is released (LV2, LV7). */
    private void deleteAsItsSetDoes() {
      var ended = status().completionTime();
      boolean released =
          status().jobResult() != null
              || (ended != null && !clock.instant().isBefore(ended.plus(WINDOW)));
      if (!kept && status().isTerminal() && released) {
        runner.getMetadata().setDeletionTimestamp(clock.instant().toString());
      }
    }

    EphemeralRunnerStatus status() {
      return runner.statusOrNone();
    }

    @Nullable String lostBy() {
      var failure = status().failure();
      return failure == null ? null : failure.jobLostBy();
    }

    private void change(EphemeralRunnerStatus next) {
      runner.setStatus(next);
      runner.getMetadata().setResourceVersion(Long.toString(++version));
    }

    private Object answer(String method, Object[] arguments) {
      return switch (method) {
        case "pod" -> Optional.ofNullable(pod);
        case "writeStatus" -> {
          var seen = status();
          change(
              ((EphemeralRunnerStatus) arguments[2])
                  .toBuilder()
                      .jobId(seen.jobId())
                      .job(seen.job())
                      .jobResult(seen.jobResult())
                      .removal(seen.removal())
                      .build());
          yield Optional.of(cached());
        }
        case "deletePod", "deletePodUnlessOver" -> {
          pod = null;
          yield "";
        }
        case "deleteSecret", "shield", "putSet" -> Optional.empty();
        default -> throw new AssertionError(method);
      };
    }

    @Override
    public Outcome removeRegistration(EphemeralRunner of, RemovalReason reason) {
      // the service counts a lost job for some minutes
      return registered && clock.instant().isBefore(RunnerSituation.at(300))
          ? new Outcome.Refused()
          : new Outcome.Removed(registered);
    }

    @Override
    public Outcome removeAll(EphemeralRunner of, RemovalReason reason) {
      return removeRegistration(of, reason);
    }

    @Override
    public Optional<Outcome> removeLeftOver(EphemeralRunner leftOver) {
      return Optional.empty();
    }

    @Override
    public boolean isRemoved(String uid, long runnerId) {
      return false;
    }

    @Override
    public Optional<Pod> podNamed(EphemeralRunner of) {
      return Optional.ofNullable(pod);
    }

    @Override
    public WriteCache writes() {
      return this;
    }

    @Override
    public void removeFinalizer(EphemeralRunner of) {
      isGone = true;
    }

    @Override
    public void created(HasMetadata seen) {}

    @Override
    public void changed(HasMetadata before, HasMetadata after) {}
  }

  /** 7 of 10 of them were reported, and a program that reads the status runs them again. */
  @Test
  void rn18NoJobThatSucceededIsReportedThoughItsRunnerExitsWithAnErrorAndItsMessageIsLate() {
    int reported = 0;
    for (int i = 0; i < JOBS; i++) {
      var world = new World(i % 4 < 2, true).exitsAt(3_000L * i / JOBS, 1);
      reported += world.completedAt(i % 2 == 0 ? 0 : 1_500).reports();
      assertThat(world.lostBy()).as("job " + i).isNull();
    }
    assertThat(reported).isZero();
  }

  @Test
  void rn18EachJobThatWasLostIsReportedOnceAlsoOverRestartsWithinTheWindow() {
    var random = new SplittableRandom(18);
    for (int i = 0; i < JOBS; i++) {
      boolean kept = i % 2 == 0;
      var world = new World(kept, true);
      var _ = i % 3 == 0 ? world.podGoesAt(100) : world.exitsAt(100, i % 3 == 1 ? 1 : 137);
      for (int restarts = i % 5; restarts > 0; restarts--) {
        world.restartsAt(random.nextLong(60_000));
      }
      assertThat(world.reports()).as("reports of job " + i).isEqualTo(1);
      assertThat(world.lostBy()).as("job " + i).isNotNull();
      assertThat(world.reportedAt)
          .as("job " + i)
          .isAfterOrEqualTo(Situation.NOW.plus(WINDOW))
          .isBefore(Situation.NOW.plus(WINDOW.multipliedBy(4)));
    }
  }

  @Test
  void rn18ACompletionAfterTheWindowChangesNothingThatWasReported() {
    var world = new World(true, true).exitsAt(100, 1).completedAt(90_000);
    assertThat(world.reports()).isEqualTo(1);
    assertThat(world.lostBy()).isEqualTo("exited");
    assertThat(world.status().jobResult()).isEqualTo("succeeded");
  }

  /** The listener was away: mark and completion come together, a minute after the end. */
  @Test
  void rn18AMarkThatComesLateWaitsForItsCompletionToo() {
    assertThat(
            new World(true, false).exitsAt(100, 1).markedAt(60_000).completedAt(61_000).reports())
        .isZero();
    assertThat(new World(true, false).exitsAt(100, 1).markedAt(60_000).reports()).isEqualTo(1);
  }

  /** A webhook took the owner references off: the jobs run to their end (DL9). */
  @Test
  void dl9AJobWhosePodHasNoOwnerAnyMoreIsNotLost() {
    for (boolean kept : new boolean[] {true, false}) {
      var world = new World(kept, true);
      world.pod =
          new PodBuilder(world.pod).editMetadata().withOwnerReferences().endMetadata().build();
      world.exitsAt(600_000, 0).completedAt(600_000).restartsAt(300_000);
      assertThat(world.reports()).isZero();
      assertThat(world.status().failure()).isNull();
    }
  }
}
