package dev.runnerset.crds.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatusConditionsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00.900Z");

  private static Condition ready(List<Condition> before, Value value, Instant now) {
    return StatusConditions.build(
        before, ConditionType.READY, value, RunnerSetReason.READY, "m", 3L, now);
  }

  @Test
  void theTransitionTimeIsNowInWholeSecondsAndStaysWhileTheValueDoes() {
    var first = ready(List.of(), Value.TRUE, NOW);
    assertThat(first.getLastTransitionTime()).isEqualTo("2026-11-20T10:00:00Z");
    assertThat(ready(List.of(first), Value.TRUE, NOW.plusSeconds(9))).isEqualTo(first);
    assertThat(ready(List.of(first), Value.FALSE, NOW.plusSeconds(9)).getLastTransitionTime())
        .isEqualTo("2026-11-20T10:00:09Z");
  }

  /** Somebody may write such ones where the installed kinds are old (WR13). */
  @Test
  void aConditionWithoutATypeOrAStatusIsLeftOut() {
    var whole = ready(List.of(), Value.TRUE, NOW);
    var noType = new ConditionBuilder(whole).withType(null).build();
    var noStatus = new ConditionBuilder(whole).withStatus(null).build();
    assertThat(StatusConditions.stored(List.of(noType, whole, noStatus))).containsExactly(whole);
    assertThat(StatusConditions.stored(null)).isEmpty();
  }

  @Test
  void aLongMessageIsCut() {
    var long1 =
        StatusConditions.build(
            List.of(),
            ConditionType.READY,
            Value.FALSE,
            RunnerSetReason.DELETING,
            "x".repeat(2000),
            null,
            NOW);
    assertThat(long1.getMessage()).hasSize(StatusConditions.LONGEST_MESSAGE);
    assertThat(long1.getObservedGeneration()).isNull();
  }

  @Test
  void aConditionTakesThePlaceOfTheOneOfItsType() {
    var ready = ready(List.of(), Value.TRUE, NOW);
    var registered =
        StatusConditions.build(
            List.of(),
            ConditionType.REGISTERED,
            Value.of(false),
            AccessReason.UNAUTHORIZED,
            "",
            null,
            NOW);
    var both = StatusConditions.with(List.of(registered), ready);
    assertThat(both).containsExactly(ready, registered);
    var unready = ready(both, Value.UNKNOWN, NOW);
    assertThat(StatusConditions.with(both, unready)).containsExactly(unready, registered);
    assertThat(StatusConditions.without(both, ConditionType.READY)).containsExactly(registered);
  }

  @Test
  void aConditionIsFoundByItsType() {
    var list = List.of(ready(List.of(), Value.TRUE, NOW));
    assertThat(StatusConditions.isTrue(list, ConditionType.READY)).isTrue();
    assertThat(StatusConditions.isFalse(list, ConditionType.READY)).isFalse();
    assertThat(StatusConditions.isTrue(list, ConditionType.REGISTERED)).isFalse();
    assertThat(StatusConditions.find(list, ConditionType.READY)).contains(list.getFirst());
  }

  @Test
  void anotherPartysWordIsMirroredAndAMissingOneReplaced() {
    assertThat(Reason.mirrored("Evicted", RunnerReason.POD_FAILED).word()).isEqualTo("Evicted");
    assertThat(Reason.mirrored("", RunnerReason.POD_FAILED)).isEqualTo(RunnerReason.POD_FAILED);
    assertThat(Reason.of(RunnerReason.class, "PodLost")).contains(RunnerReason.POD_LOST);
    assertThat(Reason.of(RunnerReason.class, "Evicted")).isEmpty();
  }
}
