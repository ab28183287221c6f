package dev.runnerset.controller.features.rerun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import dev.runnerset.crds.LostJob;
import dev.runnerset.crds.Rerun.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * RR3, RR4: whether lost jobs run again. A run is written as its attempt and conclusion, a job as
 * name:attempt:runner:conclusion, a loss as the runner, with the attempt that was asked for. All
 * runners were lost at 0 s.
 */
final class RerunPlannerTest {
  private static final Instant LOST_AT = Instant.parse("2026-11-01T10:00:00Z");
  private static final RepositoryName REPOSITORY = new RepositoryName("my-org", "app");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // row | run | jobs | losses | steps
        "RR3 the run is not over | 1 | a:1:r1: | r1 | wait",
        "RR3 the lost job is the only one | 1 failure | a:1:r1:failure | r1 | all 2 [r1]",
        "RR3 others succeeded | 1 failure | a:1:r1:failure b:1:x:success c:1:y:skipped | r1 | all 2 [r1]",
        "RR3 several were lost | 1 failure | a:1:r1:failure b:1:r2:failure | r1 r2 | all 2 [r1, r2]",
        "RR3 fail-fast cancelled a sibling | 1 failure | a:1:r1:failure b:1:x:cancelled@610 | r1 | all 2 [r1]",
        "RR4 a person cancelled a sibling before | 1 failure | a:1:r1:failure b:1:x:cancelled@599 | r1 |"
            + " RUN_CANCELLED [r1]",
        "RR4 a person cancelled a sibling later | 1 failure | a:1:r1:failure b:1:x:cancelled@960 | r1 |"
            + " RUN_CANCELLED [r1]",
        "RR3 another failed by itself | 1 failure | a:1:r1:failure b:1:x:failure | r1 | job 1 2 [r1]",
        "RR4 two lost beside a failure | 1 failure | a:1:r1:failure b:1:r2:failure c:1:x:timed_out |"
            + " r1 r2 | OTHERS_FAILED [r1, r2]",
        "RR4 the run was cancelled | 1 cancelled | a:1:r1:cancelled@600 b:1:x:success | r1 |"
            + " RUN_CANCELLED [r1]",
        "RR4 the run succeeded without it | 1 success | a:1:r1:failure b:1:x:success | r1 |"
            + " RUN_SUCCEEDED [r1]",
        "RR4 the job succeeded | 1 failure | a:1:r1:success b:1:x:failure | r1 | JOB_SUCCEEDED [r1]",
        "RR1 it failed by itself, and the message came late | 1 failure | a:1:r1:failure@-2 | r1 |"
            + " ENDED_BEFORE [r1]",
        "RR1 a person cancelled it, then its runner ended | 1 cancelled | a:1:r1:cancelled@0 | r1 |"
            + " ENDED_BEFORE [r1]",
        "RR4 no such job | 1 failure | b:1:x:failure | r1 | JOB_UNKNOWN [r1]",
        "RR4 the name of the runner again, with another id | 1 failure | a:1:r1#9:failure | r1 |"
            + " JOB_UNKNOWN [r1]",
        "RR4 a person ran it again | 2 failure | a:1:r1:failure a:2:x:failure | r1 | LATER_ATTEMPT [r1]",
        "RR3 the second attempt lost one, too | 2 failure | a:1:r1:failure a:2:r2:failure | r1=2 r2 |"
            + " failure [r1]; all 3 [r2]",
        "RR4 an attempt began after the run was read | 1 failure | a:1:r1:failure a:2:x:failure | r1 | wait",
        "RR3 asked, and the run was read too early | 1 failure | a:1:r1:failure a:2:x: | r1=2 | wait",
        "RR4 the budget is spent | 3 failure | a:3:r1:failure | r1 | BUDGET_SPENT [r1]",
        "RR4 one report for one reason | 1 failure | a:1:r1:success b:1:r2:success c:1:x:failure | r1 r2 |"
            + " JOB_SUCCEEDED [r1, r2]",
        "RR5 two ran again | 2 success | a:1:r1:failure b:1:r2:failure a:2:x:success b:2:y:success |"
            + " r1=2 r2=2 | success [r1, r2]",
        "RR4 one is done, one is to run | 1 failure | a:1:r1:success b:1:r2:failure | r1 r2 |"
            + " JOB_SUCCEEDED [r1]; all 2 [r2]",
        "RR3 GitHub has not concluded the job | 1 failure | a:1:r1: b:1:x:failure | r1 | wait",
        "RR3 asked, and not carried out | 1 failure | a:1:r1:failure | r1=2 | all 2 [r1]",
        "RR3 asked, not carried out, and a person ran another job | 2 success |"
            + " a:1:r1:failure b:2:x:success | r1=2 | LATER_ATTEMPT [r1]",
        "RR5 asked, and runs | 2 | a:1:r1:failure | r1=2 | wait",
        "RR5 the new attempt succeeded | 2 success | a:1:r1:failure a:2:x:success | r1=2 | success [r1]",
        "RR5 the job succeeded in it, others fail | 2 failure | a:1:r1:failure a:2:x:success"
            + " b:1:y:failure | r1=2 | success [r1]",
        "RR5 the new attempt failed | 2 failure | a:1:r1:failure a:2:x:failure | r1=2 | failure [r1]",
        "RR3 two jobs have one name | 1 failure | a:1:r1:failure a:1:x:failure | r1 | job 1 2 [r1]",
        "RR3 an older failure of another job counts | 2 failure | a:1:r1:failure a:2:r2:failure"
            + " b:1:y:failure | r1=2 r2 | failure [r1]; job 2 3 [r2]",
      })
  void rows(String row, String run, String jobs, String losses, String steps) {
    var policy = new RerunPolicy(EnumSet.allOf(Cause.class), 2, false);
    assertThat(words(RerunPlanner.plan(policy, losses(losses), run(run), jobs(jobs))))
        .as(row)
        .isEqualTo(steps);
  }

  @Test
  void rr4WithOthersRunsAllThatFailed() {
    var policy = new RerunPolicy(EnumSet.allOf(Cause.class), 2, true);
    var jobs = jobs("a:1:r1:failure b:1:r2:failure c:1:x:failure");
    assertThat(words(RerunPlanner.plan(policy, losses("r1 r2"), run("1 failure"), jobs)))
        .isEqualTo("all 2 [r1, r2]");
  }

  @Test
  void rr3TheJobsAreReadOnlyWhenTheRunIsOver() {
    var policy = new RerunPolicy(EnumSet.allOf(Cause.class), 2, false);
    assertThat(words(RerunPlanner.plan(policy, losses("r1"), run("1"), null))).isEqualTo("wait");
    assertThat(words(RerunPlanner.plan(policy, losses("r1"), run("1 failure"), null)))
        .isEqualTo("read");
  }

  private static WorkflowRun run(String text) {
    var parts = text.split(" ");
    return new WorkflowRun(
        REPOSITORY, Integer.parseInt(parts[0]), parts.length > 1, parts.length > 1 ? parts[1] : "");
  }

  /** Ids in order, from 1. Without a time, a job is over after ten minutes. */
  private static List<WorkflowJob> jobs(String text) {
    var jobs = new ArrayList<WorkflowJob>();
    for (var each : text.split(" ")) {
      var parts = each.split(":", -1);
      var runner = parts[2].split("#");
      var end = parts[3].split("@");
      var id = runner.length > 1 ? Long.parseLong(runner[1]) : id(runner[0]);
      jobs.add(
          new WorkflowJob(
              jobs.size() + 1,
              parts[0],
              Integer.parseInt(parts[1]),
              new WorkflowJob.Runner(new RunnerId(id), runner[0]),
              end[0],
              LOST_AT.plusSeconds(end.length > 1 ? Long.parseLong(end[1]) : 600)));
    }
    return jobs;
  }

  private static long id(String runner) {
    return runner.hashCode();
  }

  private static Map<String, LostJob> losses(String text) {
    var losses = new TreeMap<String, LostJob>();
    for (var each : text.split(" ")) {
      var parts = each.split("=");
      var asked = parts.length > 1 ? Integer.valueOf(parts[1]) : null;
      losses.put(parts[0], new LostJob("my-org/app", 7, id(parts[0]), "node_down", LOST_AT, asked));
    }
    return losses;
  }

  private static String words(List<RerunStep> steps) {
    return steps.stream()
        .map(step ->
            switch (step) {
              case RerunStep.Wait _ -> "wait";
              case RerunStep.ReadJobs _ -> "read";
              case RerunStep.Withhold(var runners, var why) -> why + " " + sorted(runners);
              case RerunStep.Conclude(var runners, var succeeded) ->
                  (succeeded ? "success " : "failure ") + sorted(runners);
              case RerunStep.Ask(var runners, var attempt, var job) ->
                  (job == null ? "all " : "job " + job + " ") + attempt + " " + sorted(runners);
            })
        .collect(Collectors.joining("; "));
  }

  private static List<String> sorted(Iterable<String> runners) {
    var all = new ArrayList<String>();
    runners.forEach(all::add);
    all.sort(null);
    return Arrays.asList(all.toArray(String[]::new));
  }
}
