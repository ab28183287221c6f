package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.Retention.OutcomeFrom;
import dev.runnerset.crds.Retention.PodPolicy;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a runner ends that a rule of retention keeps, and what is done about it afterwards. */
final class RunnerRetentionTest {
  record Row(String rule, Scene given, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Scene scene() {
    return new Scene();
  }

  private static Scene good() {
    return scene().completed().exited(0, -1);
  }

  private static Retention limits(@Nullable Integer failed, @Nullable Integer succeeded) {
    return new Retention(null, null, failed, succeeded, null, null);
  }

  private static Retention byJob(@Nullable Integer failed, @Nullable Integer succeeded) {
    return new Retention(null, null, failed, succeeded, null, OutcomeFrom.JOB);
  }

  private static Retention pods(PodPolicy policy) {
    return new Retention(null, null, 5, 5, policy, null);
  }

  static Stream<Row> ends() {
    return Stream.of(
        new Row("no rule: no write", good(), "exit0"),
        new Row("a TTL of its own", good().ttl(null, "1h"), "exit0 SUCCEEDED"),
        new Row("a TTL of 0s", good().ttl(null, "0s"), "exit0 SUCCEEDED"),
        new Row("only the other bucket's TTL", good().ttl("1h", null), "exit0"),
        new Row("a limit alone", good().live(limits(null, 5)), "exit0 SUCCEEDED"),
        new Row("only the other bucket's limit", good().live(limits(5, null)), "exit0"),
        new Row("retained", good().annotated(Labels.RETAIN), "exit0 SUCCEEDED"),
        new Row("standalone", good().standalone("runner"), "exit0 SUCCEEDED"),
        new Row(
            "by its job: a failed one is for the failed limit",
            good().live(byJob(5, null)).jobResult("failed"),
            "exit0 SUCCEEDED"),
        new Row(
            "RT13 by its job: and with a limit for the other alone, by default",
            good().live(byJob(null, 5)).jobResult("failed"),
            "exit0 SUCCEEDED"),
        new Row(
            "by the runner: a failed job is a success",
            good().live(limits(5, null)).jobResult("failed"),
            "exit0"));
  }

  static Stream<Row> afterwards() {
    var ok = RunnerPhase.SUCCEEDED;
    var failed = RunnerPhase.FAILED;
    return Stream.of(
        new Row(
            "nothing is left to do", scene().ended(ok, "True", true).ttl(null, "1h"), "nothing"),
        new Row("RT5 no rule: its set's business", scene().ended(ok, "True", false), "nothing"),
        new Row("RT13 failed, and no rule: ask", scene().ended(failed, "False", false), "ask"),
        new Row(
            "RT13 failed, and no rule: its pod goes",
            scene().ended(failed, "False", true).exited(1, -60),
            "delete-pod"),
        new Row(
            "RT13 failed, and a rule: its pod stays",
            scene()
                .ended(failed, "False", true)
                .live(new Retention(null, null, 5, null, null, null))
                .exited(1, -60),
            "nothing"),
        new Row("failed: ask", scene().ended(failed, "False", false).ttl("1h", null), "ask"),
        new Row(
            "failed for long: every four minutes",
            scene().ended(failed, "False", false).ttl("1h", null).removal(removalFailed(8, -239)),
            "again+1000"),
        new Row(
            "after four minutes",
            scene().ended(failed, "False", false).ttl("1h", null).removal(removalFailed(8, -240)),
            "ask"),
        new Row(
            "credentials that the finalizer missed may come back",
            scene()
                .ended(failed, "False", false)
                .ttl("1h", null)
                .removal(RemovalState.NONE.failed(at(-60), true)),
            "ask"),
        new Row(
            "failed, removed: the mark",
            scene().ended(failed, "False", false).ttl("1h", null).registrationGone(),
            "FAILED"),
        new Row(
            "failed within the settle window, its job not heard of",
            scene().ended(failed, "False", false).ttl("1h", null).busy().exited(1, -10),
            "again+20000"),
        new Row(
            "refused: later",
            scene().ended(failed, "False", false).ttl("1h", null).suspectUntil(60),
            "again+60000"),
        new Row(
            "marked: never again, after a restart neither",
            scene().ended(failed, "False", true).ttl("1h", null),
            "nothing"),
        new Row(
            "the proof of a refused version holds no registration",
            scene().ended(RunnerPhase.OUTDATED, "False", false),
            "ask"),
        new Row(
            "pods are kept",
            scene().ended(ok, "True", true).live(pods(PodPolicy.KEEP)).exited(0, -1),
            "nothing"),
        new Row(
            "pods are not kept",
            scene().ended(ok, "True", true).live(pods(PodPolicy.DELETE)).exited(0, -1),
            "delete-pod"),
        new Row(
            "RN16 its start took too long: its pod goes, though pods are kept",
            scene().overdue(RunnerReason.REGISTRATION_OVERDUE).live(pods(PodPolicy.KEEP)).running(),
            "delete-pod"),
        new Row(
            "RN16 and though it has a time of its own",
            scene().overdue(RunnerReason.STARTUP_OVERDUE).ttl("1h", null).waiting("", -900),
            "delete-pod"),
        new Row(
            "RN16 and though it is standalone",
            scene().overdue(RunnerReason.SCHEDULING_OVERDUE).standalone("runner").waiting("", -900),
            "delete-pod"),
        new Row(
            "RN16 its pod is gone",
            scene().overdue(RunnerReason.STARTUP_OVERDUE).ttl("1h", null),
            "nothing"),
        new Row(
            "the pod is gone",
            scene().ended(ok, "True", true).live(pods(PodPolicy.DELETE)),
            "nothing"),
        new Row(
            "I2: refused twice: its pod stays",
            scene()
                .ended(failed, "False", false)
                .live(pods(PodPolicy.DELETE))
                .exited(1, -60)
                .suspectUntil(60)
                .refusals(2),
            "again+60000"),
        new Row(
            "removed: the mark, then the pod",
            scene()
                .ended(failed, "False", false)
                .live(pods(PodPolicy.DELETE))
                .exited(1, -60)
                .registrationGone(),
            "FAILED delete-pod"));
  }

  /** So many times in a row, the last of them at that second. */
  private static RemovalState removalFailed(int times, long seconds) {
    var state = RemovalState.NONE;
    for (int i = 0; i < times; i++) {
      state = state.failed(at(seconds), false);
    }
    return state;
  }

  @ParameterizedTest
  @MethodSource({"ends", "afterwards"})
  void decides(Row row) {
    assertThat(Scene.words(RunnerLifecycle.decide(row.given().observed())))
        .isEqualTo(row.expected());
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
    var scene = good().live(limits(null, 5)).annotated(Labels.RETAIN);
    var end = scene.observed().withWhatKeepsIt(written(scene));
    assertThat(end.keptBy()).isEqualTo(KeptBy.RULE);
    var later = scene().ended(RunnerPhase.FAILED, "False", false).observed();
    assertThat(later.withWhatKeepsIt(later.ownStatus()).keptBy()).as("it ended before").isNull();
  }

  @Test
  void theJobDecidesTheConditionAndNotThePhase() {
    var status = written(good().live(byJob(5, 5)).jobResult("canceled"));
    assertThat(status.phase()).isEqualTo(RunnerPhase.SUCCEEDED);
    assertThat(condition(status, "Succeeded").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Succeeded").getReason()).isEqualTo("JobCanceled");
    assertThat(status.failure()).isNull();
  }

  @Test
  void aTimeThatIsNoneIsToldByItsName() {
    var status = written(scene().ttl("-1h", null).running());
    var told = condition(status, "RetentionAccepted");
    assertThat(told.getStatus()).isEqualTo("False");
    assertThat(told.getMessage()).contains("spec.retention.ttlAfterFailed");
  }

  @Test
  void aTimeThatWasCorrectedIsNoLongerTold() {
    var refused =
        RunnerConditions.of(
            ConditionType.RETENTION_ACCEPTED,
            Value.FALSE,
            RunnerReason.INVALID_RETENTION,
            "m",
            at(-9));
    var runs = scene().phase(RunnerPhase.RUNNING).told(refused).running();
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

  static Stream<Row> finalizerDecisions() {
    return Stream.of(
        new Row("its job is weighed", good().weighed(5), "go"),
        new Row("not yet: soon", good().weighed(4), "again+500"),
        new Row(
            "not at all: until the settle window ends",
            scene().completed().exited(0, -30).weighed(4),
            "go"),
        new Row("just before that", scene().completed().exited(0, -29).weighed(4), "again+500"),
        new Row("forced", good().weighed(4).forced().registrationGone(), "go"),
        new Row("without a set", good().set(null), "go"),
        new Row("an idle one", scene().running().registrationGone().weighed(4), "go"),
        new Row(
            "marked: no call, whatever its end",
            scene().ended(RunnerPhase.FAILED, "False", true),
            "go"));
  }

  /** LV7: within the settle window it still satisfies demand. */
  @ParameterizedTest
  @MethodSource("finalizerDecisions")
  void anEndedRunnerVanishesOnlyOnceItsJobIsWeighed(Row row) {
    var decision = RunnerLifecycle.decide(row.given().deleted().observed());
    assertThat(Scene.words(decision)).endsWith(row.expected());
  }
}
