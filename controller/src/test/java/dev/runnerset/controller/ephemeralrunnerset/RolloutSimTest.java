package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.scaling.ReplicasTarget;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole rollouts in virtual time: the warm pool stands, and the rollout ends, or waits. */
class RolloutSimTest {
  private static final int SEEDS = 300;

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  /** One runner; {@code readyAt} is never while it has no place, or does not come up. */
  private static final class Sim {
    final String name;
    final Instant createdAt;
    boolean older;
    Instant readyAt;
    Instant busyUntil = Instant.EPOCH;
    Instant suspectUntil = Instant.EPOCH;
    Instant retryAt = Instant.EPOCH;
    boolean failed;

    Sim(String name, boolean older, Instant createdAt, Instant readyAt) {
      this.name = name;
      this.older = older;
      this.createdAt = createdAt;
      this.readyAt = readyAt;
    }

    boolean isReady(Instant now) {
      return !failed && !now.isBefore(readyAt);
    }

    boolean isBusy(Instant now) {
      return now.isBefore(busyUntil);
    }
  }

  private final List<Sim> runners = new ArrayList<>();
  private Instant now = Runners.T0.plusSeconds(3600);
  private int named;

  private ReplicasPlan plan(int replicas, int max, int busy, CreationBackoff backoff) {
    var views =
        runners.stream()
            .map(r -> {
              var view =
                  r.failed
                      ? Runners.idle(r.name).phase(RunnerPhase.FAILED).endedAt(r.readyAt)
                      : r.isBusy(now)
                          ? Runners.busy(r.name)
                          : r.isReady(now)
                              ? Runners.idle(r.name).since(r.readyAt)
                              : Runners.pending(r.name).since(r.createdAt);
              view.suspectUntil(r.suspectUntil).retryAt(r.retryAt);
              return (r.older ? view.older() : view).view();
            })
            .toList();
    return ReplicasPlanner.plan(
        new ReplicasInput(
            new ReplicasTarget(replicas, max, 1, Runners.demand(Runners.T0, busy, busy, busy, 0)),
            views,
            new ReplicasInput.Creation(backoff, false, 0),
            new ReplicasInput.Removal(null, false, 0, RemovalBudget.FRESH, Duration.ofSeconds(10))),
        now);
  }

  private void old(int i) {
    var since = Runners.T0.plusSeconds(i);
    runners.add(new Sim("o" + i, true, since, since));
  }

  private long warm() {
    return runners.stream().filter(r -> r.isReady(now) && !r.isBusy(now)).count();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theWarmPoolStandsAndTheRolloutEnds(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(20);
    int jobs = random.nextInt(6);
    int max = warm + jobs + random.nextInt(8);
    boolean room = max > warm + jobs;
    for (int i = 0; i < warm + jobs; i++) {
      old(i);
      if (i < jobs) {
        runners.getLast().busyUntil = now.plusSeconds(random.nextInt(1, 300));
      }
    }
    int least = warm - (room ? 0 : Math.max(1, warm / 4));
    var end = now.plusSeconds(600);
    while (now.isBefore(end)) {
      // a busy runner ends with its job, and the job no longer counts
      runners.removeIf(r -> r.busyUntil.isAfter(Instant.EPOCH) && !r.isBusy(now));
      int busy = (int) runners.stream().filter(r -> r.isBusy(now)).count();
      var plan = plan(warm + busy, max, busy, CreationBackoff.NONE);
      for (int i = 0; i < plan.create(); i++) {
        var comesUp = now.plusSeconds(1 + random.nextInt(20));
        runners.add(new Sim("n" + named++, false, now, comesUp));
      }
      if (plan.removal() != null) {
        var gone = plan.removal().candidates();
        gone.forEach(view -> runners.removeIf(r -> r.name.equals(view.name()) && !r.isBusy(now)));
      }
      assertThat(warm())
          .as("seed %d at %s: warm of %d", seed, now, warm)
          .isGreaterThanOrEqualTo(least);
      assertThat(runners.size()).as("seed %d at %s: all", seed, now).isLessThanOrEqualTo(max);
      now = now.plusSeconds(1);
    }
    assertThat(runners).as("seed %d: nothing older is left", seed).noneMatch(r -> r.older);
    assertThat(warm()).as("seed %d", seed).isEqualTo(warm);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aRevisionThatDoesNotComeUpCostsAtMostOneStep(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(20);
    int max = warm + random.nextInt(4);
    boolean crashes = random.nextBoolean(); // else its pods wait for their image for ever
    for (int i = 0; i < warm; i++) {
      old(i);
    }
    var backoff = CreationBackoff.NONE;
    int least = warm - (crashes && max > warm ? 0 : Math.max(1, warm / 4));
    var end = now.plusSeconds(1200);
    while (now.isBefore(end)) {
      for (var runner : List.copyOf(runners)) {
        // it starts, and its container ends two seconds later
        if (crashes && !runner.older && !now.isBefore(runner.readyAt.plusSeconds(2))) {
          runners.remove(runner);
          backoff = backoff.afterFailure(now);
        }
      }
      var plan = plan(warm, max, 0, backoff);
      for (int i = 0; i < plan.create(); i++) {
        var comesUp = crashes ? now.plusSeconds(1) : Instant.MAX;
        runners.add(new Sim("n" + named++, false, now, comesUp));
      }
      if (plan.removal() != null) {
        var gone = plan.removal().candidates();
        gone.forEach(view -> runners.removeIf(r -> r.name.equals(view.name())));
      }
      long old = runners.stream().filter(r -> r.older).count();
      assertThat(old).as("seed %d at %s: of %d", seed, now, warm).isGreaterThanOrEqualTo(least);
      now = now.plusSeconds(1);
    }
  }

  /** maxRunners leaves room, and the cluster does not: an old one has to go for each new one. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aClusterOfFewerPlacesThanMaxRunnersEndsTheRolloutToo(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(12);
    int places = warm + random.nextInt(2);
    for (int i = 0; i < warm; i++) {
      old(i);
    }
    int least = warm - Math.max(1, warm / 4);
    var end = now.plusSeconds(3600);
    while (now.isBefore(end) && runners.stream().anyMatch(r -> r.older || !r.isReady(now))) {
      // those that have a place come up: the scheduler takes them in their order
      runners.stream()
          .limit(places)
          .filter(r -> r.readyAt.equals(Instant.MAX))
          .forEach(r -> r.readyAt = now.plusSeconds(1 + random.nextInt(20)));
      var plan = plan(warm, 100, 0, CreationBackoff.NONE);
      for (int i = 0; i < plan.create(); i++) {
        runners.add(new Sim("n" + named++, false, now, Instant.MAX));
      }
      if (plan.removal() != null) {
        var gone = plan.removal().candidates();
        gone.forEach(view -> runners.removeIf(r -> r.name.equals(view.name())));
      } else if (plan.surplusSince() != null) {
        runners.removeLast(); // what a scale-down takes first has not started
      }
      assertThat(warm()).as("seed %d at %s: of %d", seed, now, warm).isGreaterThanOrEqualTo(least);
      now = now.plusSeconds(1);
    }
    assertThat(runners).as("seed %d: nothing older is left", seed).noneMatch(r -> r.older);
    assertThat(warm()).as("seed %d", seed).isEqualTo(warm);
  }

  /** Jobs take idle runners, removals are refused or fail, and the template changes once more. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void jobsRefusalsErrorsRestartsAndAnotherRevisionHoldUpNothingForEver(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(12);
    int max = warm + random.nextInt(12);
    for (int i = 0; i < warm; i++) {
      old(i);
    }
    int step = Math.max(1, warm / 4);
    var another = now.plusSeconds(random.nextInt(60));
    var calm = now.plusSeconds(120);
    var end = now.plusSeconds(1500);
    for (; now.isBefore(end) && !isOver(calm, warm); now = now.plusSeconds(1)) {
      runners.removeIf(r -> r.busyUntil.isAfter(Instant.EPOCH) && !r.isBusy(now));
      if (now.equals(another)) {
        runners.forEach(r -> r.older = true);
      }
      if (random.nextInt(20) == 0) {
        runners.forEach(r -> r.retryAt = Instant.EPOCH); // a restart forgets what failed
      }
      var idle = runners.stream().filter(r -> r.isReady(now) && !r.isBusy(now)).toList();
      int busy = runners.size() - (int) runners.stream().filter(r -> !r.isBusy(now)).count();
      if (now.isBefore(calm) && !idle.isEmpty() && busy < max - warm && random.nextInt(4) == 0) {
        idle.get(random.nextInt(idle.size())).busyUntil = now.plusSeconds(random.nextInt(1, 60));
        busy++;
      }
      var plan = plan(warm + busy, max, busy, CreationBackoff.NONE);
      for (int i = 0; i < plan.create(); i++) {
        var comesUp = now.plusSeconds(1 + random.nextInt(20));
        runners.add(new Sim("n" + named++, false, now, comesUp));
      }
      if (plan.removal() != null) {
        assertThat(plan.removal().candidates())
            .as("seed %d at %s", seed, now)
            .hasSizeBetween(1, step);
        for (var view : plan.removal().candidates()) {
          var asked = runners.stream().filter(r -> r.name.equals(view.name())).findFirst();
          answer(asked.orElseThrow(), now.isBefore(calm) ? random.nextInt(4) : 3);
        }
      }
      // a job that comes meanwhile raises the target under replacements that are made already
      assertThat(runners.size())
          .as("seed %d at %s: all", seed, now)
          .isLessThanOrEqualTo(max + step);
    }
    assertThat(runners).as("seed %d: nothing older is left", seed).noneMatch(r -> r.older);
    assertThat(warm()).as("seed %d", seed).isEqualTo(warm);
  }

  private boolean isOver(Instant calm, int warm) {
    return now.isAfter(calm) && runners.stream().noneMatch(r -> r.older) && warm() == warm;
  }

  /** What the service says to a removal; a job that it knows of may not have been heard of yet. */
  private void answer(Sim asked, int answer) {
    assertThat(asked.isBusy(now)).as("I1: %s has a job", asked.name).isFalse();
    assertThat(now).as("%s is asked too soon", asked.name).isAfterOrEqualTo(asked.suspectUntil);
    assertThat(now).as("%s is asked too soon", asked.name).isAfterOrEqualTo(asked.retryAt);
    switch (answer) {
      case 0 -> asked.suspectUntil = now.plusSeconds(300);
      case 1 -> asked.retryAt = now.plusSeconds(2);
      default -> runners.remove(asked);
    }
  }
}
