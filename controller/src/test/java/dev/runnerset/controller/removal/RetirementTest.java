package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.demand;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Demand;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which runners leave their node, or go since a person marked them (SD10). */
final class RetirementTest {
  private static final Instant NOW = T0.plusSeconds(60);

  static Stream<GoingRow> rows() {
    return Stream.concat(
        GoingRow.ofEachRule(NOW),
        Stream.of(
            new GoingRow("pending, its node known", pending("a"), true),
            new GoingRow("refused long ago", idle("a").suspectUntil(NOW), true)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRunnerOnACordonedNodeGoesIfItHasNoJob(GoingRow row) {
    var there = row.made().onCordonedNode().view();
    assertThat(names(plan(null, there))).isEqualTo(row.goes() ? List.of("a") : List.of());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void sd10ARunnerOnATaintedNodeGoesIfItHasNoJob(GoingRow row) {
    var there = row.made().onTaintedNode("karpenter.sh/disrupted").view();
    assertThat(names(plan(null, there))).isEqualTo(row.goes() ? List.of("a") : List.of());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void sd3NoRunnerGoesSinceItsNodeIsACandidateOnly(GoingRow row) {
    assertThat(names(plan(null, row.made().onCandidateNode().view()))).isEmpty();
  }

  /** A taint that comes and goes each second moves nobody. */
  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, false"})
  void sd10ARunnerLeavesWhenTheTaintCounts(int seconds, boolean goes) {
    var from = NOW.plusSeconds(seconds);
    var moment =
        moment(null, idle("a").onNode(new NodeFate(from, "example.com/x", from, false)).view());
    assertThat(names(plan(moment))).isEqualTo(goes ? List.of("a") : List.of());
    assertThat(moment.now().next().at()).isEqualTo(goes ? null : from);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRunnerThatAPersonMarkedGoesIfItHasNoJob(GoingRow row) {
    var moment = new Situation(row.made().retired()).demand(null).at(NOW);
    var plan = RemovalPlanner.retire(Candidates.RETIRED, RemovalReason.RETIRED, moment);
    assertThat(names(plan)).isEqualTo(row.goes() ? List.of("a") : List.of());
    assertThat(plan.reason()).isEqualTo(RemovalReason.RETIRED);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRunnerOnAnotherNodeStays(GoingRow row) {
    assertThat(plan(null, row.made().view()).candidates()).isEmpty();
  }

  @Test
  void theOthersAreNotTouchedAndDoNotUseUpTheBoundOfTheService() {
    var moment =
        moment(
            demand(NOW.minusSeconds(1), 0, 0, 0, 1),
            idle("longest").view(),
            pending("starting").view(),
            idle("a").since(T0.plusSeconds(1)).onCordonedNode().view(),
            idle("b").since(T0.plusSeconds(2)).onCordonedNode().view());
    var plan = plan(moment);
    assertThat(names(plan)).as("the service counts one idle runner").containsExactly("a");
    assertThat(plan.reason()).isEqualTo(RemovalReason.CORDONED);
    assertThat(plan.wanted()).isEqualTo(1);
    assertThat(moment.now().next().toOptional())
        .contains(NOW.minusSeconds(1).plus(RemovalTimes.OBSERVATION_AGE));
  }

  @Test
  void whoMayBeAboutToGetAJobWaits() {
    var moment =
        moment(
            demand(NOW.minusSeconds(1), 2, 1, 1, 2),
            idle("young").since(NOW.minusSeconds(5)).onCordonedNode().view(),
            idle("old").onCordonedNode().view());
    assertThat(names(plan(moment))).containsExactly("old");
    assertThat(moment.now().next().toOptional()).contains(NOW.plusSeconds(5));
  }

  @Test
  void theLikeliestToHaveAJobThatNobodyHeardOfIsTheLast() {
    var plan =
        plan(
            demand(NOW.minusSeconds(200), 2, 2, 2, 2),
            busy("marked").view(),
            idle("longest").onCordonedNode().view(),
            idle("younger").since(T0.plusSeconds(5)).onCordonedNode().view());
    assertThat(names(plan)).containsExactly("younger", "longest");
  }

  @Test
  void ofASurplusThoseOnCordonedNodesGoFirst() {
    var runners =
        List.of(
            pending("pending").view(),
            idle("longest").view(),
            idle("there").since(T0.plusSeconds(30)).onCordonedNode().view());
    var plan = RemovalPlanner.plan(new Situation(runners).demand(null).at(NOW), 1);
    assertThat(names(plan)).containsExactly("there", "pending", "longest");
  }

  @Test
  void sd3OfASurplusRunnersOnCandidateNodesGoBeforeAllThatMayStay() {
    var runners =
        List.of(
            pending("pending").view(),
            idle("longest").older().view(),
            idle("failed").removalFailed().onCandidateNode().view(),
            idle("candidate").since(T0.plusSeconds(40)).onCandidateNode().view(),
            idle("leaves").since(T0.plusSeconds(30)).onCordonedNode().view());
    var plan = RemovalPlanner.plan(new Situation(runners).demand(null).at(NOW), 2);
    assertThat(names(plan)).containsExactly("leaves", "candidate", "pending", "longest", "failed");
  }

  private static RemovalPlan plan(@Nullable Demand demand, RunnerView... runners) {
    return plan(moment(demand, runners));
  }

  private static SetMoment moment(@Nullable Demand demand, RunnerView... runners) {
    return new Situation(List.of(runners)).demand(demand).at(NOW);
  }

  private static RemovalPlan plan(SetMoment moment) {
    return RemovalPlanner.retire(
        Candidates.at(RunnerView::mustLeaveNode), RemovalReason.CORDONED, moment);
  }

  private static List<String> names(RemovalPlan plan) {
    return plan.candidates().stream().map(RunnerView::name).toList();
  }
}
