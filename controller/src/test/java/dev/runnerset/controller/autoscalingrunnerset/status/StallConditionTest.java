package dev.runnerset.controller.autoscalingrunnerset.status;

import static dev.runnerset.controller.autoscalingrunnerset.Conditions.is;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.Mending;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who waits for a set fails at once for what only a user can mend (WR3). */
class StallConditionTest {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");

  private List<Condition> before = List.of();
  private StallCondition.Seen seen = new StallCondition.Seen("", 0, Instant.EPOCH);
  private long generation = 3;
  private RequeueTime requeueAt = RequeueTime.NEVER;

  /** What a look that many seconds later finds; the words of the condition, or empty. */
  private String look(long seconds, Condition... conditions) {
    var found =
        StallCondition.of(List.of(conditions), before, seen, generation, T0.plusSeconds(seconds));
    if (found.seen() != null) {
      seen = found.seen();
    }
    requeueAt = found.requeueAt();
    before = Stream.ofNullable(found.condition()).toList();
    var stalled = found.condition();
    return stalled == null
        ? ""
        : stalled.getType() + " " + stalled.getReason() + " " + stalled.getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    // type, status, reason, stalled from which second on; -1 for never
    "Ready, False, TemplateRefused, 0",
    "Ready, False, TemplateInvalid, 0",
    "Ready, False, InvalidConfigUrl, 0",
    "Ready, False, NameTooLong, 0",
    "Registered, False, ScaleSetNameTaken, 0",
    "Registered, False, AdoptionRequired, 0",
    "Degraded, True, TemplateRefused, 0",
    "Degraded, True, LabelsNotTaken, 0",
    "ScheduleInvalid, True, InvalidSchedule, 0",
    "Ready, False, RunnerVersionRejected, 0",
    "Ready, False, SecretNotFound, 60",
    "Ready, False, CertificateNotFound, 60",
    "Ready, False, TemplateForbidden, 60",
    "Ready, False, RoleMissing, 60",
    "Ready, False, ServiceUnavailable, -1",
    "Ready, False, NoListener, -1",
    "Ready, False, ImagePullBackOff, -1",
    "Ready, Unknown, Pending, -1",
    "Ready, True, Paused, -1",
    "CapacityLimited, True, Quota, -1",
    "UpgradeRequired, True, KindsOutdated, -1",
  })
  void aSetIsStalledByWhatOnlyAUserCanMend(String type, String status, String reason, int from) {
    var condition = is(type, status, reason);
    for (long second = 0; second <= 120; second += 5) {
      boolean stalled = from >= 0 && second >= from;
      assertThat(look(second, condition))
          .as("after %d s", second)
          .isEqualTo(stalled ? "Stalled " + reason + " why" : "");
    }
  }

  @Test
  void whatStandsBesideTheSpecHasAMinuteForEachGenerationAndNoEventIsNeededForItsEnd() {
    var missing = is("Ready", "False", "SecretNotFound");
    assertThat(look(0, missing)).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.at(T0.plusSeconds(60)));
    assertThat(look(60, missing)).isNotEmpty();
    generation = 4;
    assertThat(look(61, missing)).as("another spec, whose secret may come").isEmpty();
    assertThat(look(100, is("Ready", "False", "CertificateNotFound"))).isEmpty();
    assertThat(look(159, is("Ready", "False", "CertificateNotFound"))).isEmpty();
    assertThat(look(160, is("Ready", "False", "CertificateNotFound"))).isNotEmpty();
    assertThat(look(161, is("Ready", "True", "Ready"))).as("mended").isEmpty();
  }

  @Test
  void aProcessThatStartsKeepsWhatStandsAndItsTime() {
    before =
        List.of(
            new ConditionBuilder(is("Stalled", "True", "SecretNotFound"))
                .withObservedGeneration(3L)
                .build());
    assertThat(look(0, is("Ready", "False", "SecretNotFound"))).isNotEmpty();
    assertThat(before.getFirst().getLastTransitionTime()).isEqualTo("2026-11-21T11:00:00Z");
  }

  @Test
  void theSpecComesBeforeWhatStandsBesideIt() {
    var conditions =
        List.of(is("Registered", "False", "SecretNotFound"), is("Ready", "False", "NameTooLong"));
    assertThat(look(0, conditions.toArray(Condition[]::new))).isEqualTo("Stalled NameTooLong why");
  }

  /** Else a reason that two enums have would mean what the first one says. */
  @Test
  void aWordIsMendedInOneWay() {
    assertThat(
            Stream.<Reason.Known[]>of(
                    RunnerSetReason.values(),
                    AccessReason.values(),
                    EphemeralRunnerSetReason.values())
                .flatMap(Stream::of)
                .map(Reason::word))
        .doesNotHaveDuplicates();
    assertThat(Mending.of("ErrImagePull")).isEqualTo(Mending.WAIT);
  }
}
