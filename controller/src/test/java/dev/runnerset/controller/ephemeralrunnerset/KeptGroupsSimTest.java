package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.audit.RegisteredRunners;
import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.removal.RemovalChoiceSimTest;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups that are kept runner by runner are those that are made from all runners at once. */
final class KeptGroupsSimTest {
  private static final int STEPS = 40;
  private static final List<RemovalRule> RULES = PlannerRows.features().removalRules();

  private final Map<String, RunnerView> viewByName = new TreeMap<>();
  private final RunnersOfSet kept = new RunnersOfSet(T0);
  private final RegisteredRunners registered = new RegisteredRunners();
  private Instant now = T0;

  static LongStream seeds() {
    return LongStream.range(0, Integer.getInteger("seeds", 200));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aPlanOfKeptGroupsIsThatOfAllRunners(long seed) {
    var random = new SplittableRandom(seed);
    var given = new Situation(List.of()).demand(RemovalChoiceSimTest.demand(random));
    given.wanted = random.nextInt(8);
    given.message = random.nextInt(3);
    given.max = 9;
    for (int step = 0; step < STEPS; step++) {
      boolean setBack = random.nextInt(20) == 0;
      now = now.plusSeconds(setBack ? -random.nextInt(60) : random.nextInt(40));
      kept.advance(now);
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        change("r" + random.nextInt(10), given, random);
      }
      assertThat(decided(given.at(kept, now, given.set())))
          .as("seed " + seed + ", step " + step + " at " + now)
          .isEqualTo(
              decided(given.at(RunnersOfSet.of(viewByName.values(), now), now, given.set())));
    }
  }

  private void change(String name, Situation given, SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      viewByName.remove(name);
      kept.remove("uid-" + name);
    } else {
      given.runners.clear();
      given.runners.add(RemovalChoiceSimTest.runner(random, name));
      var view = given.at(now).runners().all().findFirst().orElseThrow();
      viewByName.put(name, view);
      kept.put(view);
    }
  }

  private static String decided(SetMoment moment) {
    var plan = ReplicasPlanner.plan(moment, RULES);
    return names(plan.finished())
        + (plan.removal() == null
            ? " none"
            : plan.removal().reason() + " " + names(plan.removal().candidates()))
        + plan.creation()
        + plan.counts()
        + plan.requeue();
  }

  private static List<String> names(List<RunnerView> runners) {
    return runners.stream().map(RunnerView::name).toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoIsKnownToBeRegisteredDoesNotDependOnWhatWasKnownBefore(long seed) {
    var random = new SplittableRandom(seed);
    var given = new Situation(List.of());
    ServiceCounts counts = null;
    for (int step = 0; step < STEPS; step++) {
      now = now.plusSeconds(random.nextInt(20));
      kept.advance(now);
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        change("r" + random.nextInt(10), given, random);
      }
      if (random.nextInt(3) == 0) {
        counts = new ServiceCounts(now, 9, 9, 9, random.nextInt(4), random.nextInt(6));
      }
      int removed = random.nextInt(3);
      var all = RunnersOfSet.of(viewByName.values(), now);
      registered.update(kept, counts, removed, at -> Map.of(), now);
      new RegisteredRunners().update(all, counts, removed, at -> Map.of(), now);
      assertThat(online(kept)).as("seed " + seed + ", step " + step).isEqualTo(online(all));
    }
  }

  private static List<String> online(RunnersOfSet runners) {
    return runners.all().filter(RunnerView::registered).map(RunnerView::name).sorted().toList();
  }
}
