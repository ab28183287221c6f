package dev.runnerset.controller.features.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a rollout stands, and that it is reported once. */
class RolloutStallTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "under way, Partial, r, True, r, true",
    "its runners start, Partial, r, False, r, false",
    "complete: only places are missing, Completed, r, True, r, false",
    "no entry of this revision yet, Completed, other, True, r, true",
    "reported of the former revision, Partial, r, True, former, false",
  })
  void standsWhileItsRunnersDoNotStart(
      String what, String state, String revision, String pending, String counted, boolean stalled) {
    var found = RolloutStall.of(history(state, revision), ers(pending, counted));
    assertThat(found != null).as(what).isEqualTo(stalled);
    if (found != null) {
      assertThat(found)
          .contains("linux-a has not started")
          .contains("put the former spec.template");
    }
  }

  /** There is no former template then; the condition RunnersPending tells what is wrong. */
  @Test
  void theFirstRunnersOfASetAreNoRollout() {
    var first = history("Partial", "r").subList(0, 1);
    assertThat(RolloutStall.of(first, ers("True", "r"))).isNull();
    assertThat(RolloutStall.of(history("Partial", "r"), null)).as("no runners").isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "ImagePullBackOff, no such image, true",
    "Quota, 'exceeded quota: q', false",
    "Unschedulable, 0/3 nodes, false",
  })
  void theFormerTemplateIsAdvisedWhereThisOneMayBeWrong(
      String reason, String words, boolean advised) {
    var reported = RolloutStall.of(history("Partial", "r"), ers("True", "r", reason, words));
    assertThat(reported).contains(words);
    assertThat(reported != null && reported.contains("put the former")).isEqualTo(advised);
    assertThat(RolloutStall.of(history("Partial", "r"), ers("True", "r", "StartSlow", "")))
        .as("slow is no stall")
        .isNull();
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

  private static EphemeralRunnerSet ers(String pending, String counted) {
    return ers(pending, counted, "StartOverdue", "linux-a has not started for 10 minutes");
  }

  private static EphemeralRunnerSet ers(
      String pending, String counted, String reason, String message) {
    return Serialization.unmarshal(
        """
        spec: {revision: r}
        status:
          rollout: {revision: %s, older: 1, registered: 0}
          conditions:
          - {type: RunnersPending, status: "%s", reason: %s, message: "%s"}
        """
            .formatted(counted, pending, reason, message),
        EphemeralRunnerSet.class);
  }
}
