package dev.runnerset.controller.features.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a rollout stands, and that it is reported once. */
class RolloutStallTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "under way, Partial, r, true, r, true",
    "its runners start, Partial, r, false, r, false",
    "complete: only places are missing, Completed, r, true, r, false",
    "no entry of this revision yet, Completed, other, true, r, true",
    "reported of the former revision, Partial, r, true, former, false",
  })
  void standsWhileItsRunnersDoNotStart(
      String what,
      String state,
      String revision,
      boolean pending,
      String counted,
      boolean stalled) {
    var found = RolloutStall.of(history(state, revision), ers(counted), pending(pending));
    assertThat(found.isPresent()).as(what).isEqualTo(stalled);
    found.ifPresent(sentence ->
        assertThat(sentence)
            .contains("linux-a has not started")
            .contains("put the former spec.template"));
  }

  /** There is no former template then; the condition RunnersPending reports what is wrong. */
  @Test
  void theFirstRunnersOfASetAreNoRollout() {
    var first = history("Partial", "r").subList(0, 1);
    assertThat(RolloutStall.of(first, ers("r"), pending(true))).isEmpty();
    assertThat(RolloutStall.of(history("Partial", "r"), null, pending(true)))
        .as("no runners")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"NOT_STARTING, true", "QUOTA, false", "UNSCHEDULABLE, false"})
  void theFormerTemplateIsAdvisedWhereThisOneMayBeWrong(LimitedBy limit, boolean advised) {
    var reported =
        RolloutStall.of(history("Partial", "r"), ers("r"), pending("no room", limit)).orElseThrow();
    assertThat(reported).contains("no room");
    assertThat(reported.contains("put the former")).isEqualTo(advised);
    assertThat(RolloutStall.of(history("Partial", "r"), ers("r"), pending("slow", null)))
        .as("slow is no stall")
        .isEmpty();
  }

  private static RunnersReport pending(boolean stands) {
    return stands
        ? pending("linux-a has not started for 10 minutes", LimitedBy.NOT_STARTING)
        : RunnersReport.NONE;
  }

  private static RunnersReport pending(String message, @Nullable LimitedBy limit) {
    return RunnersReport.NONE.with(
        ConditionType.RUNNERS_PENDING,
        Verdict.yes(EphemeralRunnerSetReason.START_OVERDUE, message).limiting(limit));
  }

  private static List<HistoryEntry> history(String state, String revision) {
    return Serialization.unmarshal(
            """
            history:
            - {state: %s, revision: %s, image: i, version: ''}
            - {state: Completed, revision: former, image: i, version: ''}
            """
                .formatted(state, revision),
            AutoScalingRunnerSetStatus.class)
        .history();
  }

  private static EphemeralRunnerSet ers(String counted) {
    return Serialization.unmarshal(
        """
        spec: {revision: r}
        status: {rollout: {revision: %s, older: 1, registered: 0}}
        """
            .formatted(counted),
        EphemeralRunnerSet.class);
  }
}
