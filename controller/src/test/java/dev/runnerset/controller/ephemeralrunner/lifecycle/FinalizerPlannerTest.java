package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.controller.ephemeralrunner.lifecycle.Scene.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.RunnerPhase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FinalizerPlannerTest {
  record Row(String rule, Scene given, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Scene scene() {
    return new Scene();
  }

  private static RemovalState lostSince(long seconds) {
    return RemovalState.NONE.failed(at(seconds), true);
  }

  /** Its EphemeralRunnerSet has a deletion timestamp. */
  private static Scene ofDeletedSet() {
    var set = Scene.set("r1", 3, "set-uid");
    set.getMetadata().setDeletionTimestamp(at(-60).toString());
    return scene().busy().set(set);
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("never started: ask by name", scene(), "ask"),
        new Row("idle", scene().running(), "ask"),
        new Row("removal remembered: no call", scene().running().registrationGone(), "go"),
        new Row("forced, though busy", scene().forced().busy().running(), "ask go"),
        new Row("forced, removal remembered", scene().forced().running().registrationGone(), "go"),
        new Row(
            "busy and running, though a removal is remembered (I1)",
            scene().busy().running().registrationGone(),
            "job again+300000"),
        new Row("removal remembered, of a start in doubt", scene().registrationGone(), "ask"),
        new Row(
            "a pod that runs another registration than was removed",
            scene().running().registeredAs(8).registrationGone().phase(RunnerPhase.FAILED),
            "ask"),
        new Row(
            "all of it removed",
            scene()
                .start(StartState.UNSEEN.uncertain(7L))
                .removal(RemovalState.NONE.removed(at(-1), true)),
            "go"),
        new Row("exit 0 and completion heard: no call", scene().completed().exited(0, -1), "go"),
        new Row("the same, pod gone", scene().completed().exitKnown(0, -1), "go"),
        new Row("exit 1 and completion heard", scene().completed().exited(1, -1), "ask"),
        new Row("busy and running: wait", scene().busy().running(), "job again+300000"),
        new Row("busy, starting", scene().busy().waiting("", -1), "job again+300000"),
        new Row("completion heard, still running", scene().completed().running(), "ask"),
        new Row("busy, ended, 29 s", scene().busy().exited(0, -29), "again+1000"),
        new Row("busy, ended, 30 s", scene().busy().exited(0, -30), "ask"),
        new Row(
            "busy, ended just now, dated 40 s ago by its node",
            scene().busy().datedByItsNode(0, -40),
            "again+30000"),
        new Row(
            "busy, just ended, its set is gone",
            scene().busy().set(null).exited(0, 0),
            "again+500"),
        new Row("busy, ended, its set is gone, 1 s", scene().busy().set(null).exited(0, -1), "ask"),
        new Row("busy, just ended, its set goes", ofDeletedSet().exited(0, 0), "again+500"),
        new Row("busy, ended, its set goes, 1 s", ofDeletedSet().exited(0, -1), "ask"),
        new Row(
            "busy and running, its set is gone",
            scene().busy().set(null).running(),
            "job again+300000"),
        new Row(
            "busy, ended, standalone, 5 s",
            scene().standalone("runner").busy().exited(0, -5),
            "again+25000"),
        new Row("busy, pod gone", scene().busy(), "ask"),
        new Row(
            "busy, pod evicted",
            scene().busy().pod("Failed", "Evicted", new PodView.RunnerContainer.Waiting("", "")),
            "ask"),
        new Row("refused", scene().running().suspectUntil(200), "again+200000"),
        new Row(
            "refused for long: looks every 5 min",
            scene().running().suspectUntil(900),
            "again+300000"),
        new Row("refusal over", scene().running().suspectUntil(0), "ask"),
        new Row("refused before its end (SD5)", scene().exited(1, -40).suspectUntil(200), "ask"),
        new Row(
            "refused after its end: asked once more, 30 s later",
            scene().exited(1, -40).suspectUntil(300).removal(RemovalState.NONE.answered(at(30))),
            "again+30000"),
        new Row("30 s later", scene().exited(1, -70).suspectUntil(270), "ask"),
        new Row(
            "refused twice (I3)",
            scene().exited(1, -70).suspectUntil(600).refusals(2),
            "again+300000"),
        new Row(
            "failed before",
            scene().removal(RemovalState.NONE.failed(at(-1), false)),
            "again+1000"),
        new Row(
            "failed twice",
            scene().removal(RemovalState.NONE.failed(at(-9), false).failed(at(-1), false)),
            "again+3000"),
        new Row("no credentials for 59 s", scene().removal(lostSince(-59)), "ask"),
        new Row("no credentials for 60 s", scene().removal(lostSince(-60)), "give-up"),
        new Row(
            "no credentials, but its container runs (I1)",
            scene().running().removal(lostSince(-6000)),
            "ask"),
        new Row(
            "no credentials, but its container may start",
            scene().waiting("ImagePullBackOff", -60).removal(lostSince(-60)),
            "ask"),
        new Row(
            "no credentials, its container has ended",
            scene().exited(1, -1).removal(lostSince(-60)),
            "give-up"),
        new Row(
            "no credentials, but a job",
            scene().busy().running().removal(lostSince(-60)),
            "job again+300000"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void decides(Row row) {
    var observed = row.given().deleted().observed();
    var decision = RunnerLifecycle.decide(observed);
    boolean noted = decision.actions().stream().anyMatch(RunnerAction.NoteExit.class::isInstance);
    assertThat(noted).isEqualTo(observed.seenExit() != null);
    assertThat(Scene.words(decision).replaceFirst("^exit\\d+ ", "")).isEqualTo(row.expected());
  }
}
