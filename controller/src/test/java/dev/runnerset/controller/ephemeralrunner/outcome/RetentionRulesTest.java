package dev.runnerset.controller.ephemeralrunner.outcome;

import static dev.runnerset.controller.ephemeralrunner.outcome.Finished.limits;
import static dev.runnerset.controller.ephemeralrunner.outcome.Finished.runner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.Retention.OutcomeFrom;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRetention;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RetentionRulesTest {
  record Kept(
      String rule, Finished runner, RunnerOutcome outcome, @Nullable Retention live, boolean kept) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Kept> kept() {
    var s = RunnerOutcome.SUCCEEDED;
    var f = RunnerOutcome.FAILED;
    var ttls = new Retention("1h", "1h", null, null, null, null);
    return Stream.of(
        new Kept("no block: goes promptly", runner("a"), s, null, false),
        new Kept("its own TTL", runner("a").ttl(null, "1h"), s, null, true),
        new Kept("a TTL of 0s is a rule", runner("a").ttl(null, "0s"), s, null, true),
        new Kept("a bucket without a rule", runner("a").ttl("1h", null), s, limits(5, null), false),
        new Kept("a limit alone keeps", runner("a"), f, limits(5, null), true),
        new Kept("the other bucket's limit does not", runner("a"), s, limits(5, null), false),
        new Kept("RT2: the set's TTL of today is not its", runner("a"), s, ttls, false),
        new Kept("a broken TTL counts as absent", runner("a").ttl("x", "-1s"), s, null, false),
        new Kept("RT13 no block: a failed one stays", runner("a"), f, null, true),
        new Kept("RT13 no rule in the block", runner("a"), f, limits(null, null), true),
        new Kept("RT13 a rule for the other bucket", runner("a"), f, limits(null, 5), true),
        new Kept("a broken limit counts as absent", runner("a"), s, limits(0, 101), false),
        new Kept("RT5 its rule was removed", runner("a").keptBy(KeptBy.RULE), s, null, true),
        new Kept("RT13 the default ended", runner("a").keptBy(KeptBy.DEFAULT), s, null, false),
        new Kept("RT10 not annotated now", runner("a").keptBy(KeptBy.ANNOTATION), s, null, false),
        new Kept("retained", runner("a").retained(), s, null, true),
        new Kept("standalone", runner("a").standalone(), s, null, true));
  }

  @ParameterizedTest
  @MethodSource("kept")
  void keeps(Kept row) {
    assertThat(RetentionRules.keeps(row.runner().made(), row.outcome(), row.live()))
        .isEqualTo(row.kept());
  }

  record By(
      String rule,
      Finished runner,
      RunnerOutcome outcome,
      @Nullable Retention live,
      String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<By> keptBy() {
    var s = RunnerOutcome.SUCCEEDED;
    var f = RunnerOutcome.FAILED;
    return Stream.of(
        new By("a limit", runner("a").retained(), f, limits(5, null), "RULE"),
        new By("its own time", runner("a").ttl("1h", null).retained(), f, null, "RULE"),
        new By("RT13 a failed one without a rule", runner("a").retained(), f, null, "DEFAULT"),
        new By("RT13 a rule for the other bucket", runner("a"), f, limits(null, 5), "DEFAULT"),
        new By(
            "RT10 the annotation alone", runner("a").retained(), s, limits(5, null), "ANNOTATION"),
        new By("nothing", runner("a"), s, limits(5, null), "none"));
  }

  @ParameterizedTest
  @MethodSource
  void keptBy(By row) {
    assertThat(
            RetentionRules.keptBy(row.runner().made(), row.outcome(), row.live())
                .map(KeptBy::name)
                .orElse("none"))
        .isEqualTo(row.expected());
  }

  record Job(String rule, OutcomeFrom from, @Nullable String result, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Job> jobs() {
    return Stream.of(
        new Job("by the runner: a failed job", OutcomeFrom.RUNNER, "failed", ""),
        new Job("by the runner: a canceled job", OutcomeFrom.RUNNER, "canceled", ""),
        new Job("by the job: failed", OutcomeFrom.JOB, "failed", "JobFailed"),
        new Job("by the job: abandoned", OutcomeFrom.JOB, "abandoned", "JobFailed"),
        new Job("by the job: canceled", OutcomeFrom.JOB, "canceled", "JobCanceled"),
        new Job("by the job: capitals", OutcomeFrom.JOB, "Canceled", "JobCanceled"),
        new Job("by the job: succeeded", OutcomeFrom.JOB, "succeeded", ""),
        new Job("by the job: skipped", OutcomeFrom.JOB, "skipped", ""),
        new Job("by the job: a word nobody knows", OutcomeFrom.JOB, "exploded", ""),
        new Job("by the job: nothing heard", OutcomeFrom.JOB, null, ""));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void theJobDecidesOnlyWhereItShould(Job row) {
    var live = Finished.outcomeFrom(row.from());
    assertThat(RunnerOutcome.jobFailure(row.result(), live).map(RunnerReason::word).orElse(""))
        .isEqualTo(row.expected());
    var running = runner("a").phase(RunnerPhase.RUNNING).jobResult(row.result()).made();
    assertThat(RunnerOutcome.expected(running, 0, live))
        .isEqualTo(row.expected().isEmpty() ? RunnerOutcome.SUCCEEDED : RunnerOutcome.FAILED);
    assertThat(RunnerOutcome.expected(running, 1, live)).isEqualTo(RunnerOutcome.FAILED);
  }

  @Test
  void whatTheConditionSaysStands() {
    var live = Finished.outcomeFrom(OutcomeFrom.JOB);
    var reported = runner("a").succeeded().jobResult("failed").made();
    assertThat(RunnerOutcome.expected(reported, null, live)).isEqualTo(RunnerOutcome.SUCCEEDED);
    assertThat(RunnerOutcome.expected(runner("a").phase(RunnerPhase.OUTDATED).made(), null, null))
        .isEqualTo(RunnerOutcome.FAILED);
  }

  @Test
  void aBrokenFieldIsNamedWithWhatToWrite() {
    var broken = new Retention("-1h", "1d", 0, 101, null, null);
    assertThat(RetentionCheck.problem(broken).orElseThrow())
        .contains("spec.retention.ttlAfterFailed '-1h'")
        .contains("spec.retention.ttlAfterSucceeded '1d'")
        .contains("spec.retention.failedLimit 0 is not within 1 to 100")
        .contains("spec.retention.succeededLimit 101")
        .contains("30m")
        .contains("is ignored");
    assertThat(RetentionCheck.problem(new RunnerRetention("1s".repeat(60), null)).orElseThrow())
        .hasSizeLessThan(200)
        .contains("spec.retention.ttlAfterFailed");
    assertThat(RetentionCheck.problem(new Retention("1h", "0s", 1, 100, null, null))).isEmpty();
    assertThat(RetentionCheck.problem((Retention) null)).isEmpty();
  }
}
