package dev.runnerset.controller.features.runnerversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.RunnerVersionStatus.From;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RN21: what a set reports of GitHub's dates for the version of its runners. */
final class VersionConditionsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static String conditions(
      @Nullable Instant jobs, @Nullable Instant registration, RunnersReport runners, Now now) {
    var version =
        new RunnerVersionStatus(
            "2.336.0", From.RUNNER, jobs, registration, Instant.EPOCH, "r1", null);
    var set = Sets.set("linux");
    var status =
        AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone())
            .runnerVersion(version)
            .build();
    var facts = new RunnerSetFacts(set, status, null, null, null, runners, true, null, now);
    return ConditionRule.verdicts(VersionConditions.all(), facts).entrySet().stream()
        .map(e ->
            e.getKey().word() + " " + e.getValue().reason().word() + ": " + e.getValue().message())
        .collect(Collectors.joining("; "));
  }

  @ParameterizedTest(name = "jobs until {0}, registers until {1}: {2}")
  @CsvSource({
    "                    ,                     , ''",
    "2026-12-04T12:00:01Z,                     , ''",
    "2026-12-04T12:00:00Z,                     , RunnerVersionExpiring DateNear: gets no jobs from 2026-12-04",
    "2026-11-20T12:00:01Z,                     , RunnerVersionExpiring DateNear: gets no jobs from 2026-11-20",
    "2026-11-20T12:00:00Z,                     , RunnerVersionExpired DatePassed: gets no jobs since 2026-11-20",
    "2026-01-01T00:00:00Z,                     , RunnerVersionExpired DatePassed: gets no jobs since 2026-01-01",
    "                    , 2026-11-21T00:00:00Z, RunnerVersionExpiring DateNear: cannot register from 2026-11-21",
    "2027-01-01T00:00:00Z, 2026-11-19T00:00:00Z, RunnerVersionExpired DatePassed: cannot register since 2026-11-19",
    "2026-11-19T00:00:00Z, 2027-01-01T00:00:00Z, RunnerVersionExpired DatePassed: gets no jobs since 2026-11-19"
  })
  void theEarlierDateCounts(
      @Nullable Instant jobs, @Nullable Instant registration, String expected) {
    var said =
        conditions(jobs, registration, RunnersReport.NONE, new Now(NOW))
            .replaceFirst("GitHub's date for .*: it ", "")
            .replaceFirst("( on)?: use an image .*", "");
    assertThat(said).isEqualTo(expected);
  }

  @Test
  void theMessageSaysWhatWhenAndWhatToDo() {
    assertThat(conditions(NOW.plusSeconds(1), null, RunnersReport.NONE, new Now(NOW)))
        .isEqualTo(
            "RunnerVersionExpiring DateNear: GitHub's date for runner version 2.336.0 (as a runner"
                + " reported it): it gets no jobs from 2026-11-20 on: use an image with a newer"
                + " version of the runner (docs/operate/runner-versions.md)");
  }

  @Test
  void jobsThatWaitBesideIdleRunnersAreReportedWithTheDate() {
    var stranded =
        RunnersReport.NONE.with(
            ConditionType.JOBS_STRANDED,
            Verdict.yes(EphemeralRunnerSetReason.JOB_NOT_TAKEN, "no idle runner has taken one"));
    assertThat(conditions(NOW, null, stranded, new Now(NOW)))
        .contains("since 2026-11-20, and jobs wait beside its idle runners: use");
  }

  @Test
  void aPassComesWhenADateComes() {
    var now = new Now(NOW);
    conditions(Instant.parse("2026-12-20T00:00:00Z"), null, RunnersReport.NONE, now);
    assertThat(now.next().at()).isEqualTo(Instant.parse("2026-12-06T00:00:00Z"));
  }
}
