package dev.runnerset.cli.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.Fleet;
import dev.runnerset.cli.FrontServer;
import dev.runnerset.cli.Terminal;
import dev.runnerset.cli.text.Screen;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** 42.1: {@code kubectl runnerset why} of sets, runners, jobs, and of what is gone. */
final class WhyIT {
  private static final Screen PIPE = new Screen(80, false, false);

  private static Fleet fleet;

  @BeforeAll
  static void start() {
    fleet =
        new Fleet()
            .set(
                "ci",
                "well",
                "",
                "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: \"\"}], jobs: {assigned: 0, running: 0, waiting: 0}}")
            .set(
                "ci",
                "starting",
                "",
                "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: \"\"}], jobs: {assigned: 2, running: 0, waiting: 2},"
                    + " runners: {desired: 2, live: 2, pending: 2, idle: 0, busy: 0}}")
            .set(
                "ci",
                "paused",
                "mode: Paused",
                "{conditions: [{type: Ready, status: \"True\", reason: Paused, message: \"spec.mode is Paused: no new jobs are taken\"}]}")
            .set(
                "ci",
                "closed",
                "maxRunners: 0",
                "{conditions: [{type: Ready, status: \"True\", reason: MaxRunners, message: \"spec.maxRunners is 0: no jobs are taken\"}]}")
            .set(
                "ci",
                "new",
                "",
                "{conditions: [{type: Ready, status: \"False\", reason: Registering, message: \"there is no answer yet\"},"
                    + " {type: Registered, status: \"Unknown\", reason: Registering, message: \"there is no answer yet\"},"
                    + " {type: CapacityLimited, status: \"True\", reason: Quota, message: \"no further runner finds room: quota none has no room\"}]}")
            .set(
                "ci",
                "linux",
                "",
                """
                {conditions: [
                  {type: CapacityLimited, status: "True", reason: NotStarting, message: "3 jobs wait"},
                  {type: Degraded, status: "True", reason: ImagePullBackOff, message: "1 runner waits for a job, but 1 of 2 runners waits"},
                  {type: Ready, status: "True", reason: Ready, message: ""},
                  {type: RunnersPending, status: "True", reason: ImagePullBackOff, lastTransitionTime: "2026-11-29T11:58:00Z",
                   message: "1 of 2 runners waits: cannot pull i. Correct the image in spec.template"}],
                 lostJobs: {linux-gone: {repository: my-org/app, workflowRunId: 99, cause: node_down, lostAt: "2026-11-29T11:00:00Z"}}}
                """)
            .runner(
                "ci",
                "linux",
                "linux-a",
                "{phase: Running, jobId: j, nodeName: n1, job: {displayName: build, repository: my-org/app,"
                    + " workflowRunId: 12, startedAt: \"2026-11-29T11:55:00Z\"}}")
            .runner(
                "ci",
                "linux",
                "linux-b",
                "{phase: Failed, jobId: k, job: {displayName: lint, repository: my-org/app, workflowRunId: 12},"
                    + " failure: {reason: OOMKilled, message: \"the runner container exited with 137\", jobLostBy: out_of_memory,"
                    + " evidence: {node: n1, containers: [{name: runner, exitCode: 137, finishedAt: \"2026-11-29T11:57:00Z\"}]}}}")
            .runner("ci", "linux", "linux-c", "{phase: Pending, podName: linux-c}")
            .make(
                "ci",
                "{apiVersion: v1, kind: Pod, metadata: {name: linux-c, namespace: ci}, spec: {containers: [{name: runner, image: i}]}}",
                "{phase: Pending, conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable,"
                    + " message: \"0/3 nodes are available\", lastTransitionTime: \"2026-11-29T11:59:00Z\"}]}")
            .make(
                "ci",
                "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}",
                "")
            .make(
                "ci",
                """
                apiVersion: v1
                kind: Event
                metadata: {name: lost, namespace: ci}
                involvedObject: {kind: EphemeralRunner, name: linux-old, namespace: ci}
                reason: JobLost
                message: "the job deploy was lost with runner linux-old: PodDeleted: somebody deleted it (https://github.com/my-org/app/actions/runs/77)"
                lastTimestamp: "2026-11-29T11:30:00Z"
                """,
                "");
  }

  @AfterAll
  static void stop() {
    fleet.close();
  }

  /** What was asked, and the first line of the answer. */
  record Row(String asked, String firstLine) {}

  static List<Row> answers() {
    return List.of(
        new Row("well", "ci/well is well, and no job waits for it."),
        new Row("starting", "ci/starting is well, and 2 jobs wait for 2 runners that start."),
        new Row(
            "paused",
            "ci/paused does as its spec says: Paused: spec.mode is Paused: no new jobs are taken"),
        new Row(
            "closed",
            "ci/closed takes no jobs: MaxRunners: spec.maxRunners is 0: no jobs are taken"),
        new Row(
            "new", "ci/new starts: Quota: no further runner finds room: quota none has no room"),
        new Row(
            "linux",
            "ci/linux runs jobs, with a problem: ImagePullBackOff: 1 of 2 runners waits: cannot pull i. Correct the image"
                + " in spec.template"),
        new Row(
            "linux-a",
            "The job build of https://github.com/my-org/app/actions/runs/12 runs on the runner ci/linux-a"
                + " on the node n1, and the node n1 is cordoned"),
        new Row(
            "linux-b",
            "ci/linux-b failed: OOMKilled: the runner container exited with 137; its job lint was lost"
                + " (out_of_memory)"),
        new Row("linux-c", "ci/linux-c starts, and waits: Unschedulable: 0/3 nodes are available"),
        new Row(
            "linux-gone",
            "ci/linux-gone is gone: A job of the run 99 of my-org/app was lost (node_down)"),
        new Row(
            "linux-old",
            "ci/linux-old is gone: the job deploy was lost with runner linux-old: PodDeleted: somebody"
                + " deleted it (https://github.com/my-org/app/actions/runs/77)"),
        new Row(
            "--job=https://github.com/my-org/app/actions/runs/99",
            "A job of the run 99 of my-org/app was lost (node_down) with the runner ci/linux-gone, which"
                + " is gone."),
        new Row(
            "--job=lint",
            "The job lint of https://github.com/my-org/app/actions/runs/12 was lost with the runner"
                + " ci/linux-b (out_of_memory): OOMKilled: the runner container exited with 137"),
        new Row(
            "--job=77",
            "No runner of the job of the workflow run 77 is left; the last event about it says: JobLost:"
                + " the job deploy was lost with runner linux-old: PodDeleted: somebody deleted it"
                + " (https://github.com/my-org/app/actions/runs/77)"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void theFirstLineNamesTheCause(Row row) {
    var shown = Terminal.of(fleet.config()).with(PIPE).run("why", row.asked());
    assertThat(shown.exitCode()).as(shown.err()).isZero();
    assertThat(shown.out().lines().findFirst()).contains(row.firstLine());
  }

  @Test
  void theEvidenceIsInTheOrderOfTimeAndTheAdviceEndsTheAnswer() {
    var shown = Terminal.of(fleet.config()).with(PIPE).run("why", "linux");
    assertThat(shown.out())
        .containsSubsequence(
            "black box containers runner: exitCode: 137",
            "condition RunnersPending: True ImagePullBackOff",
            "- docs/reference/conditions.md has more about ImagePullBackOff");
  }

  @Test
  void eachJobOfARunIsExplained() {
    var shown = Terminal.of(fleet.config()).run("why", "--job", "12", "-o", "name");
    assertThat(shown.out().lines()).containsExactlyInAnyOrder("job build", "job lint");
    var json = Terminal.of(fleet.config()).run("why", "--job", "12", "-o", "json");
    assertThat(json.out()).contains("\"sentence\"", "\"evidence\"", "\"advice\"");
  }

  @Test
  void nothingIsCutOnANarrowTerminalAndNoLineIsWider() {
    var narrow = Terminal.of(fleet.config()).with(new Screen(40, true, false)).run("why", "linux");
    assertThat(narrow.out().lines()).allMatch(line -> line.length() <= 40);
  }

  /** What is not there, and the sentence. */
  static List<Row> missing() {
    return List.of(
        new Row(
            "lunix", "There is no set or runner 'lunix' in the namespace ci: did you mean linux?"),
        new Row(
            "linux-never",
            "Nothing is kept of a runner 'linux-never' of the set ci/linux: spec.retention keeps failed"
                + " runners for longer, and the log of the controller has the lost jobs"),
        new Row(
            "--job=4711",
            "There is no job of the workflow run 4711 in the status of a runner, among the lost jobs of a"
                + " set, or in an event of the namespace ci: GitHub names no job that waits, and events go"
                + " after an hour; -A looks in all namespaces"));
  }

  @ParameterizedTest
  @MethodSource("missing")
  void whatIsNotThereIsNamedWithWhatWasSearched(Row row) {
    var shown = Terminal.of(fleet.config()).run("why", row.asked());
    assertThat(shown.exitCode()).isEqualTo(3);
    assertThat(shown.err().strip()).isEqualTo(row.firstLine());
  }

  @Test
  void aMissingRightIsNamedAndTheRestIsShown() {
    try (var front =
        new FrontServer(fleet.server().url())
            .forbid("GET .*/ci/events", "list", "events", "ci")
            .forbid("GET .*/nodes/n1", "get", "nodes", "")) {
      var shown = Terminal.of(front.config()).with(PIPE).run("why", "linux-a");
      assertThat(shown.exitCode()).isZero();
      assertThat(shown.out()).startsWith("The job build");
      assertThat(shown.err())
          .contains(
              "You have no right to list events in the namespace ci",
              "You have no right to get nodes in all namespaces");
    }
  }
}
