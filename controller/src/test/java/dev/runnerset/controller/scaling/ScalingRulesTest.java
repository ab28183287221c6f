package dev.runnerset.controller.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerMode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How many runners are wanted and offered (DM5, DM6). */
class ScalingRulesTest {
  private static final int UNKNOWN = -1;

  /** One rule: assigned, minRunners, maxRunners. */
  record Row(
      String rule,
      int assigned,
      int min,
      int max,
      RunnerMode mode,
      boolean going,
      int desired,
      int advertised,
      CapacityPlan.@Nullable LimitedBy limitedBy) {
    ScalingInput input() {
      var demand =
          assigned == UNKNOWN
              ? null
              : new Demand(1, 7, Instant.EPOCH, assigned, 0, null, null, null);
      return new ScalingInput(demand, min, max, mode, going);
    }

    @Override
    public String toString() {
      return rule;
    }
  }

  private static final CapacityPlan.LimitedBy FULL = CapacityPlan.LimitedBy.MAX_RUNNERS;

  @ParameterizedTest(name = "assigned {0}, minRunners {1}, released {2}: {3}")
  @CsvSource({
    "0,2,0,2",
    "0,2,1,1",
    "0,2,2,0",
    "0,2,9,0",
    "5,2,1,6",
    "10,2,1,10",
    "9,2,1,9",
    "8,2,1,9",
    "11,2,1,10",
    "0,0,1,0"
  })
  void releasedPlacesOfMinRunnersStayEmpty(int assigned, int min, int released, int desired) {
    var demand = new Demand(1, 7, Instant.EPOCH, assigned, 0, null, null, null);
    var input = new ScalingInput(demand, min, 10, RunnerMode.ACTIVE, false, released);
    assertThat(DesiredRunners.of(input)).isEqualTo(desired);
    assertThat(CapacityPlan.of(input).advertised()).isEqualTo(10);
  }

  static Row[] rows() {
    return new Row[] {
      active("DM5 nothing assigned, minRunners stay idle", 0, 2, 10, 2, null),
      active("DM5 minRunners come on top of the assigned", 5, 2, 10, 7, null),
      active("DM5 one below the limit", 7, 2, 10, 9, null),
      active("DM5 at the limit", 8, 2, 10, 10, null),
      active("DM5 above the limit", 9, 2, 10, 10, null),
      active("DM6 one job short of full", 9, 0, 10, 9, null),
      active("DM6 full", 10, 0, 10, 10, FULL),
      active("DM6 overfull", 11, 0, 10, 10, FULL),
      active("DM5 maxRunners 0 wants none", 3, 0, 0, 0, FULL),
      active("DM5 maxRunners 0, nothing assigned", 0, 0, 0, 0, FULL),
      active("DM5 huge numbers do not overflow", 2_147_483_647, 2_147_483_647, 9, 9, FULL),
      active("4 unknown demand wants minRunners", UNKNOWN, 2, 10, 2, null),
      new Row(
          "3 paused keeps its runners, offers none",
          4,
          1,
          10,
          RunnerMode.PAUSED,
          false,
          5,
          0,
          CapacityPlan.LimitedBy.PAUSED),
      new Row(
          "3 drained goes to zero",
          4,
          1,
          10,
          RunnerMode.DRAINED,
          false,
          0,
          0,
          CapacityPlan.LimitedBy.DRAINED),
      new Row(
          "6 a set that is deleted goes to zero",
          4,
          1,
          10,
          RunnerMode.ACTIVE,
          true,
          0,
          0,
          CapacityPlan.LimitedBy.DELETED),
      new Row(
          "6 deleted beats paused",
          4,
          1,
          10,
          RunnerMode.PAUSED,
          true,
          0,
          0,
          CapacityPlan.LimitedBy.DELETED),
    };
  }

  private static Row active(
      String rule,
      int assigned,
      int min,
      int max,
      int desired,
      CapacityPlan.@Nullable LimitedBy limitedBy) {
    return new Row(rule, assigned, min, max, RunnerMode.ACTIVE, false, desired, max, limitedBy);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void asManyRunnersAreWantedAsTheRuleSays(Row row) {
    assertThat(DesiredRunners.of(row.input())).isEqualTo(row.desired());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void asMuchCapacityIsOfferedAsTheRuleSays(Row row) {
    assertThat(CapacityPlan.of(row.input()))
        .isEqualTo(new CapacityPlan(row.advertised(), row.limitedBy()));
  }

  @ParameterizedTest(name = "{0} of {1} assigned, {2} available: {3}")
  @CsvSource({"5,5,0,false", "5,5,1,true", "6,5,0,true", "4,5,1,false", "0,0,0,true"})
  void noJobThatWaitsNoLimit(int assigned, int max, int available, boolean limited) {
    var demand = new Demand(1, 7, Instant.EPOCH, assigned, 0, 0, 0, 0, available, 1, null);
    var plan = CapacityPlan.of(new ScalingInput(demand, 0, max, RunnerMode.ACTIVE, false));
    assertThat(plan.limitedBy() == FULL).isEqualTo(limited);
  }

  @Test
  void whatKeepsRunnersFromStartingCountsBeforeMaxRunnersAndAfterTheWishOfTheUser() {
    var quota = CapacityPlan.LimitedBy.QUOTA;
    for (var before : CapacityPlan.LimitedBy.values()) {
      boolean wish =
          before == CapacityPlan.LimitedBy.PAUSED
              || before == CapacityPlan.LimitedBy.DRAINED
              || before == CapacityPlan.LimitedBy.DELETED;
      if (wish || before == FULL) {
        assertThat(new CapacityPlan(5, before).hinderedBy(quota).limitedBy())
            .isEqualTo(wish ? before : quota);
      }
      assertThat(new CapacityPlan(5, before).hinderedBy(null).limitedBy()).isEqualTo(before);
    }
    assertThat(new CapacityPlan(5, null).hinderedBy(quota).limitedBy()).isEqualTo(quota);
  }

  @ParameterizedTest
  @EnumSource(RunnerMode.class)
  void demandWithoutAnAssignedCountIsUnknownAndNotZero(RunnerMode mode) {
    var silent = new Demand(1, 0, null, null, null, null, null, null);
    var input = new ScalingInput(silent, 2, 10, mode, false);
    assertThat(DesiredRunners.of(input))
        .isEqualTo(DesiredRunners.of(new ScalingInput(null, 2, 10, mode, false)));
  }

  @ParameterizedTest
  @EnumSource(CapacityPlan.LimitedBy.class)
  void theWordsOfTheStatusAreStable(CapacityPlan.LimitedBy limit) {
    var word =
        switch (limit) {
          case MAX_RUNNERS -> "MaxRunners";
          case QUOTA -> "Quota";
          case UNSCHEDULABLE -> "Unschedulable";
          case FAILING -> "Failing";
          case NOT_STARTING -> "NotStarting";
          case PAUSED -> "Paused";
          case DRAINED -> "Drained";
          case DELETED -> "Deleted";
        };
    assertThat(limit.reason().word()).isEqualTo(word);
  }
}
