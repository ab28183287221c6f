package dev.runnerset.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerMode;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** 42.1: what a person changes with the program, and what is refused. */
final class ActIT {
  private static final String READY =
      "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: fine}],"
          + " runners: {live: 2, busy: 1}}";

  private Fleet fleet;

  @BeforeEach
  void start() {
    fleet = new Fleet().set("ci", "linux", "", READY);
    fleet.runner("ci", "linux", "linux-a", "{phase: Running, jobId: j, job: {displayName: build}}");
    fleet.runner("ci", "", "alone", "{phase: Running}");
  }

  @AfterEach
  void stop() {
    fleet.close();
  }

  private Terminal.Outcome run(String... words) {
    return Terminal.of(fleet.config()).run(words);
  }

  private AutoScalingRunnerSet set() {
    return fleet
        .client()
        .resources(AutoScalingRunnerSet.class)
        .inNamespace("ci")
        .withName("linux")
        .get();
  }

  private Map<String, String> annotations(String runner) {
    return fleet
        .client()
        .resources(EphemeralRunner.class)
        .inNamespace("ci")
        .withName(runner)
        .get()
        .getMetadata()
        .getAnnotations();
  }

  @Test
  void aSetIsPausedAndResumedByOneWriteEach() {
    var paused = run("pause", "linux", "--yes");
    assertThat(paused.exitCode()).isZero();
    assertThat(paused.err().strip())
        .isEqualTo("The set ci/linux takes no new jobs, and keeps its runners.");
    assertThat(set().modeNow()).isEqualTo(RunnerMode.PAUSED);
    assertThat(run("pause", "linux", "--yes").out().strip())
        .isEqualTo("The set ci/linux is Paused already.");
    assertThat(run("resume", "linux", "-y").exitCode()).isZero();
    assertThat(set().modeNow()).isEqualTo(RunnerMode.ACTIVE);
  }

  @Test
  void withoutATerminalAndWithoutYesNothingIsChanged() {
    var refused = run("drain", "linux");
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(refused.err()).contains("add --yes");
    assertThat(set().modeNow()).isEqualTo(RunnerMode.ACTIVE);
  }

  @Test
  void aPersonIsAskedAndMayDecline() {
    var declined = Terminal.of(fleet.config()).answering("no\n").run("drain", "linux");
    assertThat(declined.exitCode()).isEqualTo(4);
    assertThat(declined.err())
        .contains("its 1 runner with a job go when the job ends", "Nothing was changed.");
    var agreed = Terminal.of(fleet.config()).answering("yes\n").run("drain", "linux");
    assertThat(agreed.exitCode()).isZero();
    assertThat(set().modeNow()).isEqualTo(RunnerMode.DRAINED);
  }

  @Test
  void aDryRunPrintsTheWriteAndChangesNothing() {
    var shown = run("drain", "linux", "--dry-run");
    assertThat(shown.exitCode()).isZero();
    assertThat(shown.out().strip())
        .startsWith(
            "kubectl patch autoscalingrunnersets.runnerset.dev linux -n ci --type merge -p '{")
        .contains("\"mode\":\"Drained\"", "\"resourceVersion\":\"");
    assertThat(set().modeNow()).isEqualTo(RunnerMode.ACTIVE);
  }

  @Test
  void aDrainIsAwaitedUntilNoRunnerIsLeft() {
    fleet.set("ci", "empty", "mode: Drained", "");
    var meta = "conditions: [{type: Ready, status: \"True\", reason: Drained, message: d}]";
    fleet.status("ci", "empty", "{observedGeneration: 1, runners: {live: 0}, " + meta + "}");
    var awaited = run("drain", "empty", "--wait", "--yes");
    assertThat(awaited.out().lines())
        .containsExactly("The set ci/empty is Drained already.", "no runner is left");
    assertThat(awaited.exitCode()).isZero();
    var late = run("drain", "linux", "--wait", "--yes", "--timeout", "0s");
    assertThat(late.exitCode()).isEqualTo(1);
    assertThat(late.err()).contains("still has runners after 0s; the drain goes on");
  }

  @Test
  void theProgressOfADrainIsShownUntilItsEnd() {
    var states = new ArrayDeque<>(List.of("Draining", "Drained"));
    var terminal =
        Terminal.of(fleet.config())
            .meanwhile(time -> {
              var reason = states.remove();
              int live = reason.equals("Drained") ? 0 : 1;
              fleet.status(
                  "ci",
                  "linux",
                  "{observedGeneration: 2, runners: {live: %d, busy: %d}, conditions: [{type: Ready, status: \"True\", reason: %s, message: so}]}"
                      .formatted(live, live, reason));
            });
    var awaited = terminal.run("drain", "linux", "--wait", "--yes");
    assertThat(awaited.out().lines())
        .containsExactly(
            "spec.mode is Drained now.",
            "the controller has not reconciled the change yet",
            "1 with a job, 0 idle, 0 starting: so",
            "no runner is left");
    assertThat(awaited.exitCode()).isZero();
  }

  @Test
  void aRunnerIsRetiredUnlessItBelongsToNoSet() {
    var retired = run("retire", "linux-a", "--yes");
    assertThat(retired.err().strip())
        .isEqualTo("The runner ci/linux-a goes when its job 'build' ends.");
    assertThat(annotations("linux-a")).containsEntry(Labels.RETIRE, "true");
    assertThat(run("retire", "alone", "--yes").exitCode()).isEqualTo(1);
    assertThat(run("retire", "linux-b", "--yes"))
        .isEqualTo(
            new Terminal.Outcome(
                3,
                "",
                "There is no runner 'linux-b' in the namespace ci: did you mean linux-a?\n"));
  }

  @Test
  void onlyADeletionThatWaitsIsForced() {
    var refused = run("force", "linux-a", "--yes");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("is not being deleted: first run kubectl delete");
    fleet
        .client()
        .resources(EphemeralRunner.class)
        .inNamespace("ci")
        .withName("linux-a")
        .edit(runner -> {
          runner.addFinalizer(Labels.RUNNER_FINALIZER);
          return runner;
        });
    fleet.client().resources(EphemeralRunner.class).inNamespace("ci").withName("linux-a").delete();
    var forced = run("force", "linux-a", "--yes");
    assertThat(forced.err()).contains("its job 'build' is lost");
    assertThat(annotations("linux-a")).containsEntry(Labels.FORCE_DELETE, "true");
  }

  @Test
  void aSetFromGitIsChangedWithAWarning() {
    fleet
        .client()
        .resources(AutoScalingRunnerSet.class)
        .inNamespace("ci")
        .withName("linux")
        .edit(set -> {
          set.getMetadata().setLabels(Map.of("kustomize.toolkit.fluxcd.io/name", "ci"));
          return set;
        });
    assertThat(run("pause", "linux", "--yes").err())
        .contains("The set comes from Git by Flux, which will set spec.mode back");
  }
}
