package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a runner ends that a rule of retention keeps, and what is done about it afterwards. */
final class RunnerRetentionTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # its end
          no rule: no write | done5 exited0@-1 | exit0
          a TTL of its own | done5 exited0@-1 ttl=-/1h | exit0 SUCCEEDED
          a TTL of 0s | done5 exited0@-1 ttl=-/0s | exit0 SUCCEEDED
          only the other bucket's TTL | done5 exited0@-1 ttl=1h/- | exit0
          a limit alone | done5 exited0@-1 limits=-/5 | exit0 SUCCEEDED
          only the other bucket's limit | done5 exited0@-1 limits=5/- | exit0
          retained | done5 exited0@-1 pinned | exit0 SUCCEEDED
          standalone | done5 exited0@-1 standalone=runner | exit0 SUCCEEDED
          by its job: a failed one is for the failed limit | done5 exited0@-1 byJob=5/- jobResult=failed | exit0 SUCCEEDED
          RT13 by its job: and with a limit for the other alone, by default | done5 exited0@-1 byJob=-/5 jobResult=failed | exit0 SUCCEEDED
          by the runner: a failed job is a success | done5 exited0@-1 limits=5/- jobResult=failed | exit0
          # afterwards
          nothing is left to do | over=SUCCEEDED/deregistered ttl=-/1h | nothing
          RT5 no rule: its set's business | over=SUCCEEDED | nothing
          RT13 failed, and no rule: ask | over=FAILED | ask
          RT13 failed, and no rule: its pod goes | over=FAILED/deregistered exited1@-60 | delete-pod
          RT13 failed, and a rule: its pod stays | over=FAILED/deregistered limits=5/- exited1@-60 | nothing
          failed: ask | over=FAILED ttl=1h/- | ask
          failed for long: every four minutes | over=FAILED ttl=1h/- failing8@-239 | again+1000
          after four minutes | over=FAILED ttl=1h/- failing8@-240 | ask
          credentials that the finalizer missed may come back | over=FAILED ttl=1h/- credentialsLost-60 | ask
          failed, removed: the mark | over=FAILED ttl=1h/- registrationGone | FAILED
          failed within the settle window, its job not heard of | over=FAILED ttl=1h/- busy exited1@-10 | again+20000
          refused before its pod went (SD5) | over=FAILED ttl=1h/- suspect60 | ask
          refused twice: later | over=FAILED ttl=1h/- suspect60 refusals2 | again+60000
          marked: never again, after a restart neither | over=FAILED/deregistered ttl=1h/- | nothing
          the proof of a refused version holds no registration | over=OUTDATED | ask
          pods are kept | over=SUCCEEDED/deregistered pods=KEEP exited0@-1 | nothing
          pods are not kept | over=SUCCEEDED/deregistered pods=DELETE exited0@-1 | delete-pod
          RN16 its start took too long: its pod goes, though pods are kept | overdue=REGISTRATION_OVERDUE pods=KEEP running | delete-pod
          RN16 and though it has a time of its own | overdue=STARTUP_OVERDUE ttl=1h/- waiting@-900 | delete-pod
          RN16 and though it is standalone | overdue=SCHEDULING_OVERDUE standalone=runner waiting@-900 | delete-pod
          RN16 its pod is gone | overdue=STARTUP_OVERDUE ttl=1h/- | nothing
          the pod is gone | over=SUCCEEDED/deregistered pods=DELETE | nothing
          I2: refused twice: its pod stays | over=FAILED pods=DELETE exited1@-60 suspect60 refusals2 | again+60000
          removed: the mark, then the pod | over=FAILED pods=DELETE exited1@-60 registrationGone | FAILED delete-pod
          """)
  void decides(String rule, String given, String expected) {
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(RunnerSituation.of(given).observed())))
        .isEqualTo(expected);
  }

  private static RunnerSituation situation() {
    return RunnerSituation.of("");
  }

  private static RunnerSituation good() {
    return situation().and("done5 exited0@-1");
  }

  private static EphemeralRunnerStatus written(RunnerSituation situation) {
    return RunnerLifecycle.decide(situation.observed()).actions().stream()
        .filter(RunnerAction.WriteStatus.class::isInstance)
        .map(action -> ((RunnerAction.WriteStatus) action).status())
        .findFirst()
        .orElseThrow();
  }

  private static Condition condition(EphemeralRunnerStatus status, String type) {
    return status.conditions().stream()
        .filter(c -> c.getType().equals(type))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void onePatchSaysPhaseConditionAndCompletionOfTheSameInstant() {
    var status = written(good().and("ttl=-/1h"));
    assertThat(status.phase()).isEqualTo(RunnerPhase.SUCCEEDED);
    var succeeded = condition(status, "Succeeded");
    assertThat(succeeded.getStatus()).isEqualTo("True");
    assertThat(succeeded.getLastTransitionTime()).isEqualTo(at(-1).toString());
    assertThat(status.completionTime()).isEqualTo(at(-1));
    assertThat(RunnerStatuses.isDeregistered(status)).as("its registration went with it").isTrue();
  }

  @Test
  void aFailureSaysTheInstantOfItsEndToo() {
    var status = written(situation().and("exited=1/Error@-7 ttl=1h/-"));
    assertThat(condition(status, "Succeeded").getLastTransitionTime())
        .isEqualTo(at(-7).toString())
        .isEqualTo(String.valueOf(status.completionTime()));
    assertThat(RunnerStatuses.isDeregistered(status)).as("nobody asked yet").isFalse();
  }

  @Test
  void anEndSaysWhatKeepsIt() {
    var situation = good().and("limits=-/5 pinned");
    var end = situation.observed().withWhatKeepsIt(written(situation));
    assertThat(end.keptBy()).isEqualTo(KeptBy.RULE);
    var later = situation().and("over=FAILED").observed();
    assertThat(later.withWhatKeepsIt(later.ownStatus()).keptBy()).as("it ended before").isNull();
  }

  @Test
  void theJobDecidesTheConditionAndNotThePhase() {
    var status = written(good().and("byJob=5/5 jobResult=canceled"));
    assertThat(status.phase()).isEqualTo(RunnerPhase.SUCCEEDED);
    assertThat(condition(status, "Succeeded").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Succeeded").getReason()).isEqualTo("JobCanceled");
    assertThat(status.failure()).isNull();
  }

  @Test
  void aTimeThatIsNoneIsReportedByItsName() {
    var status = written(situation().and("ttl=-1h/- running"));
    var reported = condition(status, "RetentionAccepted");
    assertThat(reported.getStatus()).isEqualTo("False");
    assertThat(reported.getMessage()).contains("spec.retention.ttlAfterFailed");
  }

  @Test
  void aTimeThatWasCorrectedIsNoLongerReported() {
    var refused =
        StatusConditions.build(
            List.of(),
            ConditionType.RETENTION_ACCEPTED,
            Value.FALSE,
            RunnerReason.INVALID_RETENTION,
            "m",
            null,
            at(-9));
    var runs = situation().and("RUNNING running").reported(refused);
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(runs.and("ttl=-1h/-").observed())))
        .isEqualTo("nothing");
    var corrected = runs.and("ttl=1h/-");
    assertThat(RunnerSituation.words(RunnerLifecycle.decide(corrected.observed())))
        .isEqualTo("RUNNING again+0");
    assertThat(written(corrected).conditions()).isEmpty();
    assertThat(written(corrected.and("exited1@-1")).conditions())
        .extracting(Condition::getType)
        .doesNotContain("RetentionAccepted");
  }

  @Test
  void anEndIsNeverLaterThanItWasSeenWhateverTheNodesClockSays() {
    var status = written(situation().and("datedByItsNode1@3600 ttl=1h/-"));
    assertThat(status.completionTime()).isEqualTo(Situation.NOW);
    assertThat(condition(status, "Succeeded").getLastTransitionTime())
        .isEqualTo(Situation.NOW.toString());
    var later = written(situation().and("datedByItsNode1@3600 exitKnown1@-9 ttl=1h/-"));
    assertThat(later.completionTime()).isEqualTo(at(-9));
  }

  @Test
  void theMarkKeepsAllElse() {
    var observed = situation().and("over=FAILED ttl=1h/-").observed();
    var marked = RunnerStatuses.deregistered(observed);
    assertThat(marked.phase()).isEqualTo(RunnerPhase.FAILED);
    assertThat(marked.podName()).isEqualTo("ci-1");
    assertThat(condition(marked, "Succeeded").getLastTransitionTime()).isEqualTo(at(-5).toString());
    assertThat(marked).isEqualTo(WrittenStatus.ownPartOf(marked));
  }

  /** LV7: within the settle window it still satisfies demand. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          its job is weighed | done5 exited0@-1 message5 | go
          not yet: soon | done5 exited0@-1 message4 | again+500
          not at all: until the settle window ends | done5 exited0@-30 message4 | go
          just before that | done5 exited0@-29 message4 | again+500
          forced | done5 exited0@-1 message4 forced registrationGone | go
          without a set | done5 exited0@-1 set=none | go
          an idle one | running registrationGone message4 | go
          marked: no call, whatever its end | over=FAILED/deregistered | go
          """)
  void anEndedRunnerVanishesOnlyOnceItsJobIsWeighed(String rule, String given, String expected) {
    var decision = RunnerLifecycle.decide(RunnerSituation.of(given).and("terminating").observed());
    assertThat(RunnerSituation.words(decision)).endsWith(expected);
  }
}
