package dev.runnerset.controller.features.idleage;

import static dev.runnerset.controller.features.idleage.Aged.MAXIMUM;
import static dev.runnerset.controller.features.idleage.Aged.MINIMUM;
import static dev.runnerset.controller.features.idleage.Aged.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The choice against a second one that was written from the words of the rules, step by step. */
class IdleAgeSimTest {
  private static final int SEEDS = 20_000;

  @Test
  void bothChooseTheSame() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var runners = runners(random);
      var demand = demand(random);
      int warm = random.nextInt(2) * random.nextInt(45);
      var plan = Aged.choose(demand, warm, runners);
      assertThat(Aged.going(plan)).as("seed %d", seed).isEqualTo(slow(runners, demand, warm));
      Collections.shuffle(runners, random);
      assertThat(Aged.choose(demand, warm, runners)).as("seed %d shuffled", seed).isEqualTo(plan);
    }
  }

  private static List<RunnerView> runners(Random random) {
    var runners = new ArrayList<RunnerView>();
    int size = random.nextInt(random.nextBoolean() ? 4 : 45);
    for (int i = 0; i < size; i++) {
      var name = "r" + random.nextInt(10) + i;
      var runner =
          switch (random.nextInt(8)) {
            case 0 -> Runners.busy(name);
            case 1 -> Runners.pending(name);
            default -> Runners.idle(name);
          };
      // around the boundaries, with a resolution of half a second
      long idle = MAXIMUM.toMillis() + 500L * (random.nextInt(9) - 4);
      runner.since(NOW.minusMillis(random.nextInt(4) == 0 ? random.nextInt(1000) : idle));
      spoil(runner, random);
      long made = MINIMUM.toSeconds() + random.nextInt(5) - 2;
      runner.created(NOW.minusSeconds(random.nextInt(3) == 0 ? made : 100_000));
      runners.add((random.nextInt(9) == 0 ? runner.pinned() : runner).view());
    }
    return runners;
  }

  private static void spoil(Runners runner, Random random) {
    switch (random.nextInt(16)) {
      case 0 -> runner.terminating();
      case 1 -> runner.askedToGo();
      case 2 -> runner.suspectUntil(NOW.plusSeconds(random.nextInt(3) - 1));
      case 3 -> runner.retryAt(NOW.plusSeconds(random.nextInt(3) - 1));
      case 4 -> runner.endedAt(NOW.minusSeconds(3));
      case 5 -> runner.unready();
      case 6 -> runner.phase(RunnerPhase.values()[random.nextInt(5)]);
      case 7 -> runner.unregistered();
      default -> {}
    }
  }

  private static @Nullable Demand demand(Random random) {
    return random.nextInt(5) == 0 ? null : Aged.demand(random.nextInt(3), random.nextInt(3));
  }

  /** AC2, AC3 and AC5, without a stream. */
  private static List<String> slow(List<RunnerView> runners, @Nullable Demand demand, int warm) {
    int idle = 0;
    int coming = 0;
    var left = new ArrayList<RunnerView>();
    for (var runner : runners) {
      boolean couldTakeAJob =
          runner.phase() == RunnerPhase.RUNNING
              && runner.endedAt() == null
              && !runner.busy()
              && runner.ready()
              && runner.registered();
      boolean onItsWayOut = runner.terminating() || runner.askedToGo();
      if (!runner.registered()
          && !runner.busy()
          && !runner.phase().isTerminal()
          && runner.endedAt() == null
          && !onItsWayOut) {
        coming++;
      }
      boolean suspect =
          runner.removal().busySuspectUntil() != null
              && runner.removal().busySuspectUntil().isAfter(NOW);
      if (!couldTakeAJob || onItsWayOut || suspect) {
        continue;
      }
      idle++;
      boolean old = Duration.between(runner.waitingSince(), NOW).compareTo(MAXIMUM) > 0;
      boolean grown = Duration.between(runner.created(), NOW).compareTo(MINIMUM) >= 0;
      boolean waits = runner.removal().retryAt() != null && runner.removal().retryAt().isAfter(NOW);
      if (old && grown && !waits && !runner.pinned()) {
        left.add(runner);
      }
    }
    int share = idle / 10;
    if (share == 0) {
      share = 1;
    }
    if (idle == 1) {
      boolean known = demand != null && demand.assigned() != null && demand.running() != null;
      share = known && demand.assigned().intValue() == demand.running().intValue() ? 1 : 0;
    }
    if (idle < warm) {
      share -= coming;
    }
    var names = new ArrayList<String>();
    while (names.size() < share && !left.isEmpty()) {
      RunnerView oldest = left.getFirst();
      for (var each : left) {
        int byAge = each.waitingSince().compareTo(oldest.waitingSince());
        if (byAge < 0 || (byAge == 0 && comesBefore(each, oldest))) {
          oldest = each;
        }
      }
      left.remove(oldest);
      names.add(oldest.name());
    }
    return names;
  }

  private static boolean comesBefore(RunnerView a, RunnerView b) {
    return a.name().compareTo(b.name()) < 0;
  }
}
