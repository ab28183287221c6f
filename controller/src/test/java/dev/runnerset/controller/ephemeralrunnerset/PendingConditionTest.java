package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What keeps runners from starting is reported of the set: at once if a runner says it, else in 25
 * s.
 */
class PendingConditionTest {
  private static final String QUOTA = "PodOverQuota: exceeded quota: pods, limited: pods=2";

  record Row(String what, Runners runner, int age, String reported, int stuck) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Row> silent() {
    return List.of(
        new Row("a start takes its time", pending("a"), 24, "", 0),
        new Row("a slow start is reported", pending("a"), 25, "StartSlow", 0),
        new Row("and is no hindrance", pending("a"), 599, "StartSlow", 0),
        new Row("until the deadline", pending("a"), 600, "StartOverdue", 1),
        new Row("of an older revision", pending("a").older(), 600, "", 0),
        new Row("running", idle("a"), 600, "", 0),
        new Row("with a job", busy("a"), 600, "", 0),
        new Row("failed", pending("a").phase(RunnerPhase.FAILED).endedAt(T0), 600, "", 0),
        new Row("it goes", pending("a").terminating(), 600, "", 0),
        new Row("asked to go", pending("a").askedToGo(), 600, "", 0));
  }

  @ParameterizedTest
  @MethodSource("silent")
  void aRunnerThatSaysNothingIsReportedOfWhenItIsLate(Row row) {
    var found = new Starts().with(row.runner()).find(row.age());
    assertThat(found.verdict().map(v -> v.reason().word()).orElse("")).isEqualTo(row.reported());
    assertThat(found.stuck()).isEqualTo(row.stuck());
  }

  @ParameterizedTest
  @CsvSource({
    "Scheduled, PodForbidden, PodForbidden",
    "Scheduled, PodWebhookFailed, PodWebhookFailed",
    "Scheduled, Unschedulable, Unschedulable",
    "Started, ImagePullBackOff, ImagePullBackOff",
    "Started, CreateContainerConfigError, CreateContainerConfigError",
    "RegistrationMade, Unauthorized, Unauthorized",
    "Scheduled, WaitsForQuota, Quota",
    "Scheduled, PodOverQuota, Quota",
    "RegistrationMade, SecretOverQuota, Quota",
    "Started, ContainerCreating, ",
    "Scheduled, Unscheduled, ",
    "Removable, Forbidden, ",
    "RetentionAccepted, InvalidRetention, ",
  })
  void aProblemThatARunnerTellsOfCountsAtOnce(
      String type, String reason, @Nullable String expected) {
    var found = new Starts().with(pending("a"), type, reason, "m").find(3);
    assertThat(found.verdict().map(v -> v.reason().word()).orElse(null)).isEqualTo(expected);
    assertThat(found.stuck()).isEqualTo(expected == null ? 0 : 1);
  }

  @Test
  void theCommonestProblemIsReportedWithItsCountAnExampleAndWhatToChange() {
    var starts =
        new Starts()
            .with(pending("a"), "Started", "ImagePullBackOff", "no such image")
            .with(
                pending("c"), "Scheduled", "PodOverQuota", "exceeded quota: pods, limited: pods=2")
            .with(
                pending("b"), "Scheduled", "PodOverQuota", "exceeded quota: pods, limited: pods=2")
            .with(pending("d"))
            .with(idle("e"))
            .with(busy("f"))
            .with(pending("gone").terminating());
    assertThat(starts.message(60))
        .isEqualTo(
            "2 of 6 runners wait: "
                + QUOTA
                + " (for example b since 2026-01-01T00:00:03Z); 1 for ImagePullBackOff; raise the"
                + " quota, or lower spec.maxRunners");
    assertThat(starts.find(60).verdict().orElseThrow().reason().word())
        .as("row 10: a full quota is a limit, whichever object it refuses")
        .isEqualTo("Quota");
    assertThat(starts.find(60).stuck()).isEqualTo(3);
  }

  @Test
  void whoIsMerelySlowIsNamedOnlyWhereNothingWorseIs() {
    assertThat(new Starts().with(pending("a")).message(30))
        .isEqualTo(
            "1 of 1 runners waits: the start takes long, and no reason is known (for example a since"
                + " 2026-01-01T00:00:00Z); look at it with kubectl describe er,pod a");
    assertThat(
            new Starts()
                .with(pending("a"), "Started", "ContainerCreating", "volume data")
                .message(30))
        .contains("ContainerCreating: volume data");
  }

  /** No event tells that a runner is late. */
  @Test
  void theNextLookIsWhenARunnerBecomesLate() {
    var starts = new Starts().with(pending("a"));
    assertThat(starts.next(3)).isEqualTo(T0.plus(EphemeralRunnerSetTimes.SLOW_AFTER));
    assertThat(starts.next(25)).isEqualTo(T0.plus(EphemeralRunnerSetTimes.START_DEADLINE));
    assertThat(starts.next(600)).isNull();
    assertThat(new Starts().with(idle("a")).next(3)).isNull();
  }

  /** Else it would be a write at every look. */
  @Test
  void standsUnchangedWhileNothingChanges() {
    var starts = new Starts().with(pending("a"), "Scheduled", "Unschedulable", "0/3 nodes");
    var first = starts.find(30).verdict().orElseThrow();
    assertThat(starts.find(500).verdict()).contains(first);
    assertThat(starts.find(500).stuck()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "ServiceAccountMissing, 'serviceaccount: error looking up service account ci/x', service account",
    "PriorityClassMissing, no PriorityClass with name high was found, priority class",
    "PodForbidden, violates PodSecurity restricted, policy",
    "SecretOverQuota, 'exceeded quota: s', quota for secrets",
    "SecretForbidden, denied by policy p, the policy that refuses the secrets of runners",
    "PermissionMissing, '"
        + "User \"u\" cannot create resource \"secrets\" in API group \"\" in the namespace \"ci\"'"
        + ", create rolebinding runnerset-manager --namespace ci",
    "PermissionMissing, '"
        + "User \"u\" cannot create resource \"pods\" in API group \"\" in the namespace \"ci\"'"
        + ", create rolebinding runnerset-manager --namespace ci",
    "PodWebhookFailed, failed calling webhook, webhook",
    "Unschedulable, 0/3, make room",
    "ImagePullBackOff, x, pull secret",
    "CreateContainerConfigError, x, config maps",
    "Unauthorized, x, kubectl describe",
  })
  void theAdviceFitsTheCause(String reason, String words, String advice) {
    assertThat(StartAdvice.of(reason, words, "a")).contains(advice);
  }

  /** Runners that were made at T0, and the conditions some of them have since 3 s later. */
  private static final class Starts {
    private final List<Runners> runners = new ArrayList<>();

    Starts with(Runners runner) {
      runners.add(runner);
      return this;
    }

    Starts with(Runners runner, String type, String reason, String message) {
      return with(
          runner.resource(
              Serialization.unmarshal(
                  """
                  status:
                    conditions:
                    - {type: %s, status: "False", reason: %s, message: "%s",
                       lastTransitionTime: "2026-01-01T00:00:03Z"}
                  """
                      .formatted(type, reason, message),
                  EphemeralRunner.class)));
    }

    SetMoment at(int seconds) {
      return new Situation(runners.toArray(Runners[]::new)).at(T0.plusSeconds(seconds));
    }

    PendingCondition.Found find(int seconds) {
      return PendingCondition.find(at(seconds));
    }

    @Nullable Instant next(int seconds) {
      var moment = at(seconds);
      var _ = PendingCondition.find(moment);
      return moment.now().next().at();
    }

    String message(int seconds) {
      return find(seconds).verdict().orElseThrow().message();
    }
  }
}
