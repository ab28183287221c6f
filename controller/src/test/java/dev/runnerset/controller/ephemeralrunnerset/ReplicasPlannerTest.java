package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.in;
import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static dev.runnerset.controller.removal.Situation.MESSAGE;
import static dev.runnerset.controller.removal.Situation.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What holds for the whole plan: the counts, and the time until which it stays the same. */
class ReplicasPlannerTest {
  @Test
  void theCountsSayHowManyThereAreOfEachKind() {
    var given =
        new Situation(
            pending("p"),
            idle("i"),
            busy("b"),
            busy("over").completedIn(MESSAGE),
            idle("f").phase(RunnerPhase.FAILED).endedAt(NOW),
            idle("t").terminating(),
            pending("pt").terminating(),
            busy("e").endedAt(NOW));
    assertThat(PlannerRows.plan(given, NOW).counts())
        .isEqualTo(new RunnerCounts(2, 4, 1, 1, 1, 3, 0));
  }

  /** RN7. */
  @Test
  void aRunnerThatIsNotRegisteredCountsAsPending() {
    var given = new Situation(idle("a"), idle("b").unregistered(), busy("c"));
    var counts = PlannerRows.plan(given, NOW).counts();
    assertThat(List.of(counts.live(), counts.pending(), counts.idle(), counts.busy()))
        .as("live, pending, idle, busy")
        .containsExactly(3, 1, 1, 1);
  }

  /** NM4. */
  @Test
  void aPassLeavesTheRestToTheNextOne() {
    var given = new Situation();
    given.wanted = 151;
    assertThat(PlannerRows.plan(given, NOW).create()).isEqualTo(150);
  }

  /** What the plan would do; the rest may change with time. */
  private static List<Object> deeds(ReplicasPlan plan) {
    var removal = plan.removal();
    return List.of(
        plan.create(), plan.finished(), removal == null ? List.of() : removal.candidates());
  }

  @Test
  void thePlanStaysUntilTheInstantNamed() {
    for (long seed = 0; seed < 3000; seed++) {
      var random = new SplittableRandom(seed);
      var given = random(random);
      var first = given.at(NOW);
      var plan = PlannerRows.plan(given, first);
      given.surplusSince = plan.surplusSince();
      var until = Objects.requireNonNullElse(plan.requeue().at(), in(200));
      var expected = deeds(plan);
      for (var at = NOW; at.isBefore(until); at = at.plusSeconds(1)) {
        first.runners().advance(at);
        var then = given.at(first.runners(), at, first.set());
        var actual = deeds(PlannerRows.plan(given, then));
        if (!actual.equals(expected)) { // a description of each moment would cost far more
          assertThat(actual)
              .as("seed %d, at %s, requeued at %s: %s", seed, at, until, then)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static Instant near(SplittableRandom random) {
    return in(random.nextInt(-200, 60));
  }

  private static Situation random(SplittableRandom random) {
    var given = new Situation();
    given.wanted = random.nextInt(4);
    for (int i = random.nextInt(6); i > 0; i--) {
      var name = "r" + i;
      var runner =
          switch (random.nextInt(3)) {
            case 0 -> busy(name);
            case 1 -> pending(name);
            default -> idle(name);
          };
      runner.since(near(random));
      switch (random.nextInt(6)) {
        case 0, 1 -> runner.older();
        case 2 -> runner.ofAnotherScaleSet();
        default -> {}
      }
      switch (random.nextInt(12)) {
        case 0 -> runner.completedIn(random.nextLong(5, 10)).completionSeenAt(near(random));
        case 1 -> runner.endedAt(near(random));
        case 2 -> runner.phase(RunnerPhase.values()[random.nextInt(2, 5)]).endedAt(near(random));
        case 3 -> runner.phase(RunnerPhase.FAILED).endedAt(near(random)).retryAt(near(random));
        case 4 -> runner.suspectUntil(near(random));
        case 5 -> runner.suspectUntil(near(random)).terminating();
        case 6 -> runner.retryAt(near(random));
        case 7 -> runner.terminating();
        default -> {}
      }
      given.runners.add(runner.view());
    }
    given.max = random.nextBoolean() ? null : given.wanted + random.nextInt(3);
    int assigned = random.nextInt(4);
    given.demand =
        random.nextInt(8) == 0
            ? null
            : Runners.demand(near(random), assigned, random.nextInt(4), 0, random.nextInt(3));
    given.surplusSince = random.nextBoolean() ? null : in(-random.nextInt(3));
    given.budget =
        new RemovalBudget(1, List.of(), null, random.nextInt(3) == 0 ? near(random) : T0);
    var opensAt = random.nextInt(3) == 0 ? near(random) : T0;
    given.backoff = new CreationBackoff(1, opensAt, random.nextBoolean());
    given.held = random.nextInt(8) == 0;
    given.reserved = random.nextInt(8) == 0 ? 1 : 0;
    return given;
  }
}
