package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.Labels;
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
          no rule: no write | completed exited(0,-1) | exit0
          a TTL of its own | completed exited(0,-1) ttl(null,1h) | exit0 SUCCEEDED
          a TTL of 0s | completed exited(0,-1) ttl(null,0s) | exit0 SUCCEEDED
          only the other bucket's TTL | completed exited(0,-1) ttl(1h,null) | exit0
          a limit alone | completed exited(0,-1) limits(null,5) | exit0 SUCCEEDED
          only the other bucket's limit | completed exited(0,-1) limits(5,null) | exit0
          retained | completed exited(0,-1) retained | exit0 SUCCEEDED
          standalone | completed exited(0,-1) standalone(runner) | exit0 SUCCEEDED
          by its job: a failed one is for the failed limit | completed exited(0,-1) byJob(5,null) jobResult(failed) | exit0 SUCCEEDED
          RT13 by its job: and with a limit for the other alone, by default | completed exited(0,-1) byJob(null,5) jobResult(failed) | exit0 SUCCEEDED
          by the runner: a failed job is a success | completed exited(0,-1) limits(5,null) jobResult(failed) | exit0
          # afterwards
          nothing is left to do | ended(SUCCEEDED,True,true) ttl(null,1h) | nothing
          RT5 no rule: its set's business | ended(SUCCEEDED,True,false) | nothing
          RT13 failed, and no rule: ask | ended(FAILED,False,false) | ask
          RT13 failed, and no rule: its pod goes | ended(FAILED,False,true) exited(1,-60) | delete-pod
          RT13 failed, and a rule: its pod stays | ended(FAILED,False,true) limits(5,null) exited(1,-60) | nothing
          failed: ask | ended(FAILED,False,false) ttl(1h,null) | ask
          failed for long: every four minutes | ended(FAILED,False,false) ttl(1h,null) removalFailed(8,-239) | again+1000
          after four minutes | ended(FAILED,False,false) ttl(1h,null) removalFailed(8,-240) | ask
          credentials that the finalizer missed may come back | ended(FAILED,False,false) ttl(1h,null) credentialsLost(-60) | ask
          failed, removed: the mark | ended(FAILED,False,false) ttl(1h,null) registrationGone | FAILED
          failed within the settle window, its job not heard of | ended(FAILED,False,false) ttl(1h,null) busy exited(1,-10) | again+20000
          refused before its pod went (A5) | ended(FAILED,False,false) ttl(1h,null) suspectUntil(60) | ask
          refused twice: later | ended(FAILED,False,false) ttl(1h,null) suspectUntil(60) refusals(2) | again+60000
          marked: never again, after a restart neither | ended(FAILED,False,true) ttl(1h,null) | nothing
          the proof of a refused version holds no registration | ended(OUTDATED,False,false) | ask
          pods are kept | ended(SUCCEEDED,True,true) pods(KEEP) exited(0,-1) | nothing
          pods are not kept | ended(SUCCEEDED,True,true) pods(DELETE) exited(0,-1) | delete-pod
          RN16 its start took too long: its pod goes, though pods are kept | overdue(REGISTRATION_OVERDUE) pods(KEEP) running | delete-pod
          RN16 and though it has a time of its own | overdue(STARTUP_OVERDUE) ttl(1h,null) waiting(,-900) | delete-pod
          RN16 and though it is standalone | overdue(SCHEDULING_OVERDUE) standalone(runner) waiting(,-900) | delete-pod
          RN16 its pod is gone | overdue(STARTUP_OVERDUE) ttl(1h,null) | nothing
          the pod is gone | ended(SUCCEEDED,True,true) pods(DELETE) | nothing
          I2: refused twice: its pod stays | ended(FAILED,False,false) pods(DELETE) exited(1,-60) suspectUntil(60) refusals(2) | again+60000
          removed: the mark, then the pod | ended(FAILED,False,false) pods(DELETE) exited(1,-60) registrationGone | FAILED delete-pod
          """)
  void decides(String rule, String given, String expected) {
    assertThat(Scene.words(RunnerLifecycle.decide(Scene.of(given).observed()))).isEqualTo(expected);
  }

  private static Scene scene() {
    return new Scene();
  }

  private static Scene good() {
    return scene().completed().exited(0, -1);
  }

  private static EphemeralRunnerStatus written(Scene scene) {
    return RunnerLifecycle.decide(scene.observed()).actions().stream()
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
    var status = written(good().ttl(null, "1h"));
    assertThat(status.phase()).isEqualTo(RunnerPhase.SUCCEEDED);
    var succeeded = condition(status, "Succeeded");
    assertThat(succeeded.getStatus()).isEqualTo("True");
    assertThat(succeeded.getLastTransitionTime()).isEqualTo(at(-1).toString());
    assertThat(status.completionTime()).isEqualTo(at(-1));
    assertThat(RunnerStatuses.isDeregistered(status)).as("its registration went with it").isTrue();
  }

  @Test
  void aFailureSaysTheInstantOfItsEndToo() {
    var status = written(scene().exited(1, -7, "Error").ttl("1h", null));
    assertThat(condition(status, "Succeeded").getLastTransitionTime())
        .isEqualTo(at(-7).toString())
        .isEqualTo(String.valueOf(status.completionTime()));
    assertThat(RunnerStatuses.isDeregistered(status)).as("nobody asked yet").isFalse();
  }

  @Test
  void anEndSaysWhatKeepsIt() {
    var scene = good().limits(null, 5).annotated(Labels.RETAIN);
    var end = scene.observed().withWhatKeepsIt(written(scene));
    assertThat(end.keptBy()).isEqualTo(KeptBy.RULE);
    var later = scene().ended(RunnerPhase.FAILED, "False", false).observed();
    assertThat(later.withWhatKeepsIt(later.ownStatus()).keptBy()).as("it ended before").isNull();
  }

  @Test
  void theJobDecidesTheConditionAndNotThePhase() {
    var status = written(good().byJob(5, 5).jobResult("canceled"));
    assertThat(status.phase()).isEqualTo(RunnerPhase.SUCCEEDED);
    assertThat(condition(status, "Succeeded").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Succeeded").getReason()).isEqualTo("JobCanceled");
    assertThat(status.failure()).isNull();
  }

  @Test
  void aTimeThatIsNoneIsReportedByItsName() {
    var status = written(scene().ttl("-1h", null).running());
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
    var runs = scene().phase(RunnerPhase.RUNNING).reported(refused).running();
    assertThat(Scene.words(RunnerLifecycle.decide(runs.ttl("-1h", null).observed())))
        .isEqualTo("nothing");
    var corrected = runs.ttl("1h", null);
    assertThat(Scene.words(RunnerLifecycle.decide(corrected.observed())))
        .isEqualTo("RUNNING again+0");
    assertThat(written(corrected).conditions()).isEmpty();
    assertThat(written(corrected.exited(1, -1)).conditions())
        .extracting(Condition::getType)
        .doesNotContain("RetentionAccepted");
  }

  @Test
  void anEndIsNeverLaterThanItWasSeenWhateverTheNodesClockSays() {
    var status = written(scene().datedByItsNode(1, 3600).ttl("1h", null));
    assertThat(status.completionTime()).isEqualTo(Scene.NOW);
    assertThat(condition(status, "Succeeded").getLastTransitionTime())
        .isEqualTo(Scene.NOW.toString());
    var later = written(scene().datedByItsNode(1, 3600).exitKnown(1, -9).ttl("1h", null));
    assertThat(later.completionTime()).isEqualTo(at(-9));
  }

  @Test
  void theMarkKeepsAllElse() {
    var observed = scene().ended(RunnerPhase.FAILED, "False", false).ttl("1h", null).observed();
    var marked = RunnerStatuses.deregistered(observed);
    assertThat(marked.phase()).isEqualTo(RunnerPhase.FAILED);
    assertThat(marked.podName()).isEqualTo("ci-1");
    assertThat(condition(marked, "Succeeded").getLastTransitionTime()).isEqualTo(at(-5).toString());
    assertThat(marked).isEqualTo(RunnerStatuses.ownPartOf(marked));
  }

  /** LV7: within the settle window it still satisfies demand. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          its job is weighed | completed exited(0,-1) weighed(5) | go
          not yet: soon | completed exited(0,-1) weighed(4) | again+500
          not at all: until the settle window ends | completed exited(0,-30) weighed(4) | go
          just before that | completed exited(0,-29) weighed(4) | again+500
          forced | completed exited(0,-1) weighed(4) forced registrationGone | go
          without a set | completed exited(0,-1) withoutSet | go
          an idle one | running registrationGone weighed(4) | go
          marked: no call, whatever its end | ended(FAILED,False,true) | go
          """)
  void anEndedRunnerVanishesOnlyOnceItsJobIsWeighed(String rule, String given, String expected) {
    var decision = RunnerLifecycle.decide(Scene.of(given).deleted().observed());
    assertThat(Scene.words(decision)).endsWith(expected);
  }
}
