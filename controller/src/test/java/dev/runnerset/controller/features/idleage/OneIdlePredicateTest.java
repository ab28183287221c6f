package dev.runnerset.controller.features.idleage;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.demand;
import static dev.runnerset.controller.removal.Runners.idle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.rollout.Rollout;
import dev.runnerset.controller.removal.CoreRule;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalRule.Surplus;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** LV5: scale-down, age collection and rollouts mean the same by an idle runner. */
class OneIdlePredicateTest {
  private static final Instant NOW = T0.plusSeconds(1000);

  record Row(String what, Runners runner, boolean removable) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("idle", idle("a"), true),
        new Row("with a job", busy("a"), false),
        new Row("its job is over", busy("a").completedIn(1), false),
        new Row("refused not long ago", idle("a").suspectUntil(NOW.plusSeconds(1)), false),
        new Row("refused long ago", idle("a").suspectUntil(NOW), true),
        new Row("its container ended", idle("a").endedAt(NOW), false),
        new Row("it failed", idle("a").phase(RunnerPhase.FAILED), false),
        new Row("it goes", idle("a").terminating(), false),
        new Row("asked to go", idle("a").askedToGo(), false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void allWhoRemoveAskTheSameOfARunner(Row row) {
    var view = row.runner().view();
    assertThat(view.isRemovable(new Now(NOW))).isEqualTo(row.removable());
    assertThat(chooses(scaleDown(view))).as("scale-down").isEqualTo(row.removable());
    assertThat(chooses(age(view))).as("age collection").isEqualTo(row.removable());
    var older = row.runner().older().view();
    assertThat(chooses(rollout(older))).as("rollout").isEqualTo(row.removable());
  }

  private static boolean chooses(RemovalPlan plan) {
    return !plan.candidates().isEmpty();
  }

  private static RemovalPlan scaleDown(RunnerView view) {
    return CoreRule.SURPLUS.plan(moment(view), new Surplus(1, T0));
  }

  private static RemovalPlan age(RunnerView view) {
    var sweep = new AgeSweep(Duration.ofSeconds(60), Duration.ofSeconds(60), 0, false).boundedBy(1);
    return IdleAgePlanner.plan(sweep, moment(view));
  }

  private static RemovalPlan rollout(RunnerView view) {
    return new Rollout().plan(moment(view), new Surplus(0, null));
  }

  private static SetMoment moment(RunnerView view) {
    var given = new Situation(List.of(view)).demand(demand(T0, 0, 0, 0, 1));
    given.wanted = 1;
    given.max = 1;
    given.message = 1;
    return given.at(NOW);
  }
}
