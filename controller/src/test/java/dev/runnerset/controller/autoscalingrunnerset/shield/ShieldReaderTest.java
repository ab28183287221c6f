package dev.runnerset.controller.autoscalingrunnerset.shield;

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
    "b, , , BudgetMissing: b",
    ", POLICY_MISSING, , PolicyMissing: POLICY_MISSING",
    ", POLICY_NOT_VISIBLE, , PolicyNotVisible: POLICY_NOT_VISIBLE",
    ", , NODES_NOT_VISIBLE, NodesNotVisible: NODES_NOT_VISIBLE",
    "b, POLICY_MISSING, , BudgetMissing: b; POLICY_MISSING",
    "b, , NODES_NOT_VISIBLE, BudgetMissing: b; NODES_NOT_VISIBLE",
    ", POLICY_MISSING, NODES_NOT_VISIBLE, PolicyMissing: POLICY_MISSING; NODES_NOT_VISIBLE",
    ", POLICY_NOT_VISIBLE, NODES_NOT_VISIBLE, PolicyNotVisible: POLICY_NOT_VISIBLE; NODES_NOT_VISIBLE",
    "b, POLICY_MISSING, NODES_NOT_VISIBLE, BudgetMissing: b; POLICY_MISSING; NODES_NOT_VISIBLE",
  })
  void whatIsMissingComesFirstAndAllIsTold(
      @Nullable String budget,
      @Nullable RunnerSetReason policy,
      @Nullable RunnerSetReason nodes,
      @Nullable String expected) {
    var lacks = ShieldReader.lacking(budget, finding(policy), finding(nodes));
    assertThat(lacks == null ? null : lacks.reason().word() + ": " + lacks.message())
        .isEqualTo(expected);
  }

  private static @Nullable Finding finding(@Nullable RunnerSetReason reason) {
    return reason == null ? null : new Finding(reason, reason.name());
  }
}
