package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a run learns that a runner is gone, and who ran its jobs again (protocol 3.17, 7.2). */
final class LostJobsTest {
  static Stream<RunPlay.Row> rows() {
    return Stream.of(
        new RunPlay.Row(
            "a job that is reported ends at once", "run a! take end a get", "completed failure 1"),
        new RunPlay.Row("a dead runner is not noticed", "run a take pass 599 get", "in_progress 1"),
        new RunPlay.Row("until its lock lapses", "run a take pass 600 get", "completed failure 1"),
        new RunPlay.Row(
            "which is ten minutes after the last renewal",
            "run a take pass 20 renew a pass 599 get pass 1 get",
            "in_progress 1 | completed failure 1"),
        new RunPlay.Row(
            "an orderly end is not noticed at once",
            "run a take stop a pass 19 get",
            "in_progress 1"),
        new RunPlay.Row("but soon", "run a take stop a pass 20 get", "completed failure 1"),
        new RunPlay.Row(
            "unless the job ends first",
            "run a take stop a end a pass 20 get",
            "completed success 1"),
        new RunPlay.Row(
            "the run waits for its other jobs",
            "run a,b take stop a pass 20 get rerun end b get rerun",
            "in_progress 1 | 403 This workflow is already running | completed failure 1 | 201"),
        new RunPlay.Row(
            "the lost job runs again",
            "run a,b take end b stop a pass 20 rerun take end a get every",
            "201 | completed success 2 | a1:failure b1:success a2:success"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void ends(RunPlay.Row row) {
    assertThat(new RunPlay().all(row.steps())).isEqualTo(row.answers());
  }

  /** What a rerun began, and what its jobs were: LOST, or as they ended. */
  static Stream<RunPlay.Row> reruns() {
    var lost = "run a,b!,c take stop a pass 20 end b end c ";
    return Stream.of(
        new RunPlay.Row("none", lost, ""),
        new RunPlay.Row("by a user's token", lost + "rerun", "token 2 a:LOST b:failure"),
        new RunPlay.Row("by an app", lost + "app write rerun", "app 7 2 a:LOST b:failure"),
        new RunPlay.Row("by a person", lost + "person", "person 2 a:LOST b:failure"),
        new RunPlay.Row("of one job", lost + "again a", "token 2 a:LOST"),
        new RunPlay.Row("none that was refused", lost + "age 40 rerun", ""),
        new RunPlay.Row(
            "of a cancelled run",
            "run a,b take stop a pass 20 cancel rerun",
            "token 2 cancelled a:LOST b:cancelled"),
        new RunPlay.Row(
            "twice",
            "run a! take end a rerun take end a rerun",
            "token 2 a:failure, token 3 a:failure"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reruns")
  void areKept(RunPlay.Row row) {
    var play = new RunPlay();
    play.all(row.steps().strip());
    assertThat(play.control.runs().reruns().stream().map(LostJobsTest::words))
        .isEqualTo(row.answers().isEmpty() ? List.of() : List.of(row.answers().split(", ")));
  }

  private static String words(RerunView rerun) {
    var words = new StringBuilder(rerun.by() + " " + rerun.attempt());
    words.append(rerun.ofCancelledRun() ? " cancelled" : "");
    rerun
        .jobs()
        .forEach(job ->
            words
                .append(' ')
                .append(job.name())
                .append(':')
                .append(job.lost() ? "LOST" : job.conclusion()));
    return words.toString();
  }

  @Test
  void aRerunsMessagesNameTheSameRunAndAnotherJob() {
    var play = new RunPlay();
    play.all("run a! take end a");
    var first = play.job("a");
    play.all("rerun take end a");
    var second = play.job("a");
    assertThat(second.number).isNotEqualTo(first.number);
    var before = event(play, first);
    var after = event(play, second);
    for (var same : List.of("workflowRunId", "repositoryName", "ownerName", "jobDisplayName")) {
      assertThat(after.get(same)).isEqualTo(before.get(same));
    }
    assertThat(after.get("jobId")).isNotEqualTo(before.get("jobId"));
    assertThat(after.get("runnerName").asText()).isEqualTo("runner-a");
  }

  private static JsonNode event(RunPlay play, Job job) {
    return play.service.state.event(play.set, job, "JobCompleted");
  }

  /** A job that is submitted without a run has one, in the repository its scale set gives it. */
  @Test
  void everyJobHasARun() {
    var play = new RunPlay();
    play.control.submit(JobRequest.of(2, "x", Duration.ofSeconds(1)));
    assertThat(play.control.runs().all())
        .hasSize(2)
        .allSatisfy(run -> {
          assertThat(run.repository()).isEqualTo("o/app");
          assertThat(run.latest().jobs()).hasSize(1);
        });
    assertThat(play.control.jobs()).extracting(JobView::run).doesNotHaveDuplicates();
  }
}
