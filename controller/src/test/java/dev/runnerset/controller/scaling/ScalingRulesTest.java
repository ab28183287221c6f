package dev.runnerset.controller.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.RunnerMode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How many runners are wanted and offered (DM5, DM6). */
class ScalingRulesTest {
  private static AutoScalingRunnerSet set(RunnerMode mode) {
    return Sets.set("linux", "mode: " + new ObjectMapper().convertValue(mode, String.class));
  }

  private static EphemeralRunnerSet runners(
      AutoScalingRunnerSet set, @Nullable Demand demand, int min, int max, int released) {
    var limits =
        new Limits(
            new Limits.Limit(min, "minRunners"),
            new Limits.Limit(max, "maxRunners"),
            RequeueTime.NEVER);
    var runners = new EphemeralRunnerSet();
    runners.setSpec(ChildSpecs.ephemeralRunnerSet(set, limits, new ScaleSetId(1)));
    runners.setStatus(
        EphemeralRunnerSetStatusBuilder.builder()
            .demand(demand)
            .releasedIdle(released == 0 ? null : released)
            .build());
    return runners;
  }

  private static @Nullable Demand demand(@Nullable Integer assigned) {
    return assigned == null
        ? null
        : new Demand(1, 7, Instant.EPOCH, assigned, 0, null, null, null, null, null, null);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // assigned, minRunners, maxRunners, mode, released: desired, offered, limit
        "DM5 nothing assigned, minRunners stay idle     | 0  | 2 | 10 | ACTIVE  | 0 | 2  | 10 |",
        "DM5 minRunners come on top of the assigned     | 5  | 2 | 10 | ACTIVE  | 0 | 7  | 10 |",
        "DM5 one below the limit                        | 7  | 2 | 10 | ACTIVE  | 0 | 9  | 10 |",
        "DM5 at the limit                               | 8  | 2 | 10 | ACTIVE  | 0 | 10 | 10 |",
        "DM5 above the limit                            | 9  | 2 | 10 | ACTIVE  | 0 | 10 | 10 |",
        "DM6 one job short of full                      | 9  | 0 | 10 | ACTIVE  | 0 | 9  | 10 |",
        "DM6 full                                       | 10 | 0 | 10 | ACTIVE  | 0 | 10 | 10 | MAX_RUNNERS",
        "DM6 overfull                                   | 11 | 0 | 10 | ACTIVE  | 0 | 10 | 10 | MAX_RUNNERS",
        "DM5 maxRunners 0 wants none                    | 3  | 0 | 0  | ACTIVE  | 0 | 0  | 0  | MAX_RUNNERS",
        "DM5 maxRunners 0, nothing assigned             | 0  | 0 | 0  | ACTIVE  | 0 | 0  | 0  | MAX_RUNNERS",
        "DM5 huge numbers do not overflow | 2147483647 | 2147483647 | 9 | ACTIVE | 0 | 9 | 9 | MAX_RUNNERS",
        "DM7 unknown demand wants minRunners            |    | 2 | 10 | ACTIVE  | 0 | 2  | 10 |",
        "DM6 paused keeps its runners, offers none      | 4  | 1 | 10 | PAUSED  | 0 | 5  | 0  | PAUSED",
        "DM5 drained goes to zero                       | 4  | 1 | 10 | DRAINED | 0 | 0  | 0  | DRAINED",
        "AC8 no place is released                       | 0  | 2 | 10 | ACTIVE  | 0 | 2  | 10 |",
        "AC8 released places stay empty                 | 0  | 2 | 10 | ACTIVE  | 1 | 1  | 10 |",
        "AC8 all of them                                | 0  | 2 | 10 | ACTIVE  | 2 | 0  | 10 |",
        "AC8 more than there are                        | 0  | 2 | 10 | ACTIVE  | 9 | 0  | 10 |",
        "AC8 beside the assigned                        | 5  | 2 | 10 | ACTIVE  | 1 | 6  | 10 |",
        "AC8 two below the limit                        | 8  | 2 | 10 | ACTIVE  | 1 | 9  | 10 |",
        "AC8 one below the limit                        | 9  | 2 | 10 | ACTIVE  | 1 | 9  | 10 |",
        "AC8 at the limit                               | 10 | 2 | 10 | ACTIVE  | 1 | 10 | 10 | MAX_RUNNERS",
        "AC8 above the limit                            | 11 | 2 | 10 | ACTIVE  | 1 | 10 | 10 | MAX_RUNNERS",
        "AC8 without minRunners                         | 0  | 0 | 10 | ACTIVE  | 1 | 0  | 10 |",
      })
  void asManyRunnersAreWantedAndOfferedAsTheRuleSays(
      String rule,
      @Nullable Integer assigned,
      int min,
      int max,
      RunnerMode mode,
      int released,
      int desired,
      int advertised,
      @Nullable LimitedBy limitedBy) {
    var set = set(mode);
    var runners = runners(set, demand(assigned), min, max, released);
    assertThat(DesiredRunners.of(runners)).isEqualTo(desired);
    assertThat(CapacityPlan.of(set, max, RunnerPlaces.NONE, runners))
        .isEqualTo(new CapacityPlan(advertised, limitedBy, null));
  }

  @ParameterizedTest(name = "{0} of {1} assigned, {2} available: {3}")
  @CsvSource({"5,5,0,false", "5,5,1,true", "6,5,0,true", "4,5,1,false", "0,0,0,true"})
  void noJobThatWaitsNoLimit(int assigned, int max, int available, boolean limited) {
    var demand = new Demand(1, 7, Instant.EPOCH, assigned, 0, 0, 0, 0, available, 1, null);
    var set = set(RunnerMode.ACTIVE);
    var plan = CapacityPlan.of(set, max, RunnerPlaces.NONE, runners(set, demand, 0, max, 0));
    assertThat(plan.limitedBy() == LimitedBy.MAX_RUNNERS).isEqualTo(limited);
  }

  /** What keeps runners from starting counts before maxRunners, and after the wish of the user. */
  @ParameterizedTest
  @CsvSource({
    ", QUOTA",
    "MAX_RUNNERS, QUOTA",
    "PAUSED, PAUSED",
    "DRAINED, DRAINED",
    "DELETED, DELETED"
  })
  void whatLimitsASetWhoseQuotaIsUsedUp(@Nullable LimitedBy before, LimitedBy after) {
    assertThat(new CapacityPlan(5, before, null).hinderedBy(LimitedBy.QUOTA).limitedBy())
        .isEqualTo(after);
    assertThat(new CapacityPlan(5, before, null).hinderedBy(null).limitedBy()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(RunnerMode.class)
  void demandWithoutAnAssignedCountIsUnknownAndNotZero(RunnerMode mode) {
    var silent = new Demand(1, 0, null, null, null, null, null, null, null, null, null);
    assertThat(DesiredRunners.of(runners(set(mode), silent, 2, 10, 0)))
        .isEqualTo(DesiredRunners.of(runners(set(mode), null, 2, 10, 0)));
  }

  @ParameterizedTest
  @EnumSource(RunnerMode.class)
  void aSetThatIsDeletedOffersNone(RunnerMode mode) {
    var set = set(mode);
    set.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    assertThat(CapacityPlan.of(set, 10, RunnerPlaces.NONE, runners(set, demand(4), 1, 10, 0)))
        .isEqualTo(new CapacityPlan(0, LimitedBy.DELETED, null));
  }

  /** A person made the EphemeralRunnerSet, so no listener writes its demand. */
  @Test
  void withoutDemandAndLimitThereAreAsManyAsReplicasSays() {
    var runners = runners(set(RunnerMode.ACTIVE), null, 3, 10, 0);
    runners.setSpec(runners.getSpec().toBuilder().maxRunners(null).build());
    assertThat(DesiredRunners.of(runners)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "MAX_RUNNERS, MaxRunners",
    "QUOTA, Quota",
    "STARTS_PER_MINUTE, StartsPerMinute",
    "UNSCHEDULABLE, Unschedulable",
    "FAILING, Failing",
    "NOT_STARTING, NotStarting",
    "PAUSED, Paused",
    "DRAINED, Drained",
    "DELETED, Deleted",
  })
  void theWordsOfTheStatusAreStable(LimitedBy limit, String word) {
    assertThat(limit.reason().word()).isEqualTo(word);
  }
}
