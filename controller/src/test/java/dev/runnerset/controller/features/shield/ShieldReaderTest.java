package dev.runnerset.controller.features.shield;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.condition.RunnerSetReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a set tells of its shield when several parts are missing, or not seen (SH2, SH3, SD10). */
final class ShieldReaderTest {
  @ParameterizedTest
  @CsvSource({
    ", , , ",
    "b, , , True BudgetMissing: b",
    ", POLICY_MISSING, , True PolicyMissing: POLICY_MISSING",
    ", POLICY_NOT_VISIBLE, , Unknown PolicyNotVisible: POLICY_NOT_VISIBLE",
    ", , NODES_NOT_VISIBLE, Unknown NodesNotVisible: NODES_NOT_VISIBLE",
    "b, POLICY_MISSING, , True BudgetMissing: b; POLICY_MISSING",
    "b, , NODES_NOT_VISIBLE, True BudgetMissing: b; NODES_NOT_VISIBLE",
    ", POLICY_MISSING, NODES_NOT_VISIBLE, True PolicyMissing: POLICY_MISSING; NODES_NOT_VISIBLE",
    ", POLICY_NOT_VISIBLE, NODES_NOT_VISIBLE, Unknown PolicyNotVisible: POLICY_NOT_VISIBLE; NODES_NOT_VISIBLE",
    "b, POLICY_MISSING, NODES_NOT_VISIBLE, True BudgetMissing: b; POLICY_MISSING; NODES_NOT_VISIBLE",
  })
  void whatIsMissingComesFirstAndAllIsReported(
      @Nullable String budget,
      @Nullable RunnerSetReason policy,
      @Nullable RunnerSetReason nodes,
      @Nullable String expected) {
    var lacks = ShieldReader.verdict(budget, finding(policy), finding(nodes));
    assertThat(
            lacks
                .map(v -> v.value().word() + " " + v.reason().word() + ": " + v.message())
                .orElse(null))
        .isEqualTo(expected);
  }

  private static @Nullable Finding finding(@Nullable RunnerSetReason reason) {
    return reason == null ? null : new Finding(reason, reason.name());
  }
}
