package dev.runnerset.controller.features.idleage;

import static dev.runnerset.controller.removal.Runners.T0;

import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Aged runners for tests; ages in seconds at {@link #NOW}. */
final class Aged {
  static final Instant NOW = T0.plus(Duration.ofDays(3));
  static final Duration MAXIMUM = Duration.ofHours(1);
  static final Duration MINIMUM = Duration.ofMinutes(2);

  private Aged() {}

  /** Idle for so long, made as long ago. */
  static RunnerView idle(String name, long seconds) {
    return of(Runners.idle(name).since(NOW.minusSeconds(seconds)), seconds);
  }

  static RunnerView of(Runners runner, long createdSecondsAgo) {
    return runner.created(NOW.minusSeconds(createdSecondsAgo)).view();
  }

  static Demand demand(int assigned, int running) {
    return Runners.demand(NOW, assigned, running, running, 0);
  }

  /** Names of those that go, in their order. */
  static List<String> going(RemovalPlan plan) {
    return plan.candidates().stream().limit(plan.wanted()).map(RunnerView::name).toList();
  }

  static RemovalPlan choose(Demand demand, RunnerView... runners) {
    return choose(demand, 0, List.of(runners));
  }

  /** The first plan of a sweep. */
  static RemovalPlan choose(@Nullable Demand demand, int minRunners, List<RunnerView> runners) {
    var sweep = new AgeSweep(MAXIMUM, MINIMUM, minRunners, false);
    var moment = moment(demand, runners);
    int bound = IdleAgePlanner.bound(sweep, moment);
    return IdleAgePlanner.plan(sweep.boundedBy(bound), moment);
  }

  static SetMoment moment(@Nullable Demand demand, List<RunnerView> runners) {
    return new Situation(runners).demand(demand).at(NOW);
  }
}
