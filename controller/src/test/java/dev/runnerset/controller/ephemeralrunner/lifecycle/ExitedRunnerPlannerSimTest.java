package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The end of a runner in virtual time: the clock of its node is wrong, the listener is deaf or
 * late, the service is away for a while, and this process restarts (RN8).
 */
final class ExitedRunnerPlannerSimTest {
  private static final int SEEDS = 5_000;

  /** One runner whose container ends at {@link Situation#NOW}. */
  private static final class World {
    private final long seed;
    private final SplittableRandom random;
    private final TreeSet<Instant> looks = new TreeSet<>();
    private final TreeSet<Instant> restarts = new TreeSet<>();
    private final boolean hadJob;
    private final boolean exitsWithSeven;
    private final long nodeAhead;
    private final @Nullable Instant marked;
    private final @Nullable Instant completed;
    private final Instant serviceBack;
    private boolean registered;
    private RunnerMemory memory = RunnerMemory.NONE;
    private @Nullable RunnerExit exit;
    private Instant now = Situation.NOW;

    World(long seed) {
      this.seed = seed;
      random = new SplittableRandom(seed);
      hadJob = random.nextInt(3) > 0;
      registered = !hadJob;
      exitsWithSeven = random.nextInt(5) == 0;
      nodeAhead = random.nextLong(-3_500, 3_500);
      // while the listener is deaf nothing comes; else it comes within the settle window
      boolean deaf = random.nextInt(3) == 0;
      marked = hadJob && !deaf ? soon(20) : null;
      completed = marked != null && random.nextInt(4) > 0 ? soon(29) : null;
      serviceBack = random.nextInt(3) == 0 ? soon(300) : Situation.NOW;
      for (int i = random.nextInt(4); i > 0; i--) {
        restarts.add(soon(60));
      }
      looks.add(Situation.NOW);
      looks.addAll(restarts);
      for (var heard : new Instant[] {marked, completed}) {
        if (heard != null) {
          looks.add(heard);
        }
      }
    }

    private Instant soon(int seconds) {
      return Situation.NOW.plusMillis(1 + random.nextInt(seconds * 1000));
    }

    /** The phase that it is reported to have ended with; empty where its set just deletes it. */
    Optional<RunnerPhase> run() {
      while (!looks.isEmpty()) {
        now = looks.removeFirst();
        if (restarts.contains(now)) {
          memory = RunnerMemory.NONE;
          exit = null;
        }
        var observed = observed();
        var decision = RunnerLifecycle.decide(observed);
        for (var action : decision.actions()) {
          if (action instanceof RunnerAction.WriteStatus(var status)) {
            return Optional.of(status.phase());
          }
          apply(action);
        }
        if (decision.requeue().at() != null) {
          assertThat(decision.requeue().at()).as("%s looks ahead", this).isAfter(now);
          looks.add(decision.requeue().at());
        }
        if (observed.hadJob() && (observed.isJobCompleted() || observed.isRegistrationGone())) {
          return Optional.empty();
        }
      }
      throw new AssertionError(this + " waits for nothing");
    }

    private ObservedRunner observed() {
      var situation = RunnerSituation.of("RUNNING");
      if (isHeard(marked)) {
        situation.and("busy");
      }
      if (isHeard(completed)) {
        situation.and("done5");
      }
      var observed =
          situation.and("datedByItsNode" + (exitsWithSeven ? 7 : 0) + "@" + nodeAhead).observed();
      return new ObservedRunner(
          observed.runner(), observed.pod(), observed.set(), memory, exit, id -> false, now);
    }

    private boolean isHeard(@Nullable Instant at) {
      return at != null && !now.isBefore(at);
    }

    private void apply(RunnerAction action) {
      switch (action) {
        case RunnerAction.NoteExit(var seen) -> exit = seen;
        case RunnerAction.RemoveRegistration(var reason) -> {
          if (now.isBefore(serviceBack)) {
            memory = memory.with(memory.removal().failed(now, false));
          } else {
            var there = registered || reason != RemovalReason.ENDED_UNHEARD;
            memory = memory.with(memory.removal().removed(now, there));
            registered = false;
          }
          looks.add(
              memory.removal().nothingLeft() ? now.plusMillis(1) : memory.removal().notBefore());
        }
        default -> throw new AssertionError(this + " does not expect " + action);
      }
    }

    @Override
    public String toString() {
      return "seed %d after %s (job: %s, exit 7: %s, node %d s ahead, restarts: %s)"
          .formatted(
              seed,
              Duration.between(Situation.NOW, now),
              hadJob,
              exitsWithSeven,
              nodeAhead,
              restarts);
    }
  }

  @Test
  void whoeverDidItsJobIsNoFailureWhatAnyClockSaysAndWhoeverHeardOfIt() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = new World(seed);
      var end = world.run();
      if (world.hadJob && !world.exitsWithSeven) {
        assertThat(end).as("%s", world).isNotEqualTo(Optional.of(RunnerPhase.FAILED));
      }
      if (world.hadJob) {
        assertThat(end).as("%s", world).isNotEqualTo(Optional.of(RunnerPhase.OUTDATED));
      }
      if (!world.hadJob && world.restarts.isEmpty()) {
        assertThat(end)
            .as("%s", world)
            .contains(world.exitsWithSeven ? RunnerPhase.OUTDATED : RunnerPhase.FAILED);
      }
      if (!world.exitsWithSeven && end.isPresent()) {
        assertThat(world.now)
            .as("%s: the settle window", world)
            .isAfterOrEqualTo(Situation.NOW.plus(Times.SETTLE));
      }
      assertThat(world.now).as("%s: ends", world).isBefore(Situation.NOW.plusSeconds(600));
    }
  }
}
