package dev.runnerset.cli.text;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.text.Table.Cell;
import dev.runnerset.cli.text.Table.Column;
import dev.runnerset.cli.view.JobView;
import dev.runnerset.cli.view.RunnerState;
import dev.runnerset.cli.view.RunnerView;
import java.time.Instant;
import java.util.List;

/** Runners, or their jobs, a row each. */
@Pure
public final class RunnerTable {
  private RunnerTable() {}

  /** The table of the runners, in their order. */
  public static Table of(List<RunnerView> runners, Instant now) {
    var table =
        new Table(
            Column.text("NAMESPACE", 3),
            Column.text("RUNNER", 0),
            Column.text("STATE", 0),
            Column.text("AGE", 1),
            Column.text("JOB", 1),
            Column.text("REPOSITORY", 2),
            Column.text("NODE", 4));
    for (var runner : runners) {
      var job = runner.job();
      table.row(
          below(runner),
          runner.set().namespace(),
          runner.name(),
          new Cell(runner.state().word(), runner.state().tone()),
          Ages.since(runner.created(), now),
          job == null ? "" : job.name(),
          job == null ? "" : job.repository(),
          runner.node());
    }
    return table;
  }

  /** The table of jobs that run, and of jobs that were lost, in the order of their runners. */
  public static Table ofJobs(List<RunnerView> runners, Instant now) {
    var table =
        new Table(
            Column.text("NAMESPACE", 3),
            Column.text("SET", 1),
            Column.text("JOB", 0),
            Column.text("STATE", 0),
            Column.text("FOR", 1),
            Column.text("REPOSITORY", 2),
            Column.text("RUNNER", 2),
            Column.text("RUN", 4));
    for (var runner : runners) {
      var job = runner.job();
      if (job == null) {
        continue;
      }
      table.row(
          new Cell("", ""),
          runner.set().namespace(),
          runner.set().name(),
          job.name(),
          state(job, runner),
          Ages.since(job.startedAt(), now),
          job.repository(),
          runner.name(),
          job.runUrl());
    }
    return table;
  }

  private static Cell state(JobView job, RunnerView runner) {
    if (!job.lostBy().isEmpty()) {
      return new Cell("lost: " + job.lostBy(), "bad");
    }
    return job.result().isEmpty() && runner.state() == RunnerState.BUSY
        ? new Cell("running", "busy")
        : new Cell(job.result().isEmpty() ? "ended" : job.result(), "dim");
  }

  private static Cell below(RunnerView runner) {
    boolean isWrong =
        runner.state() == RunnerState.FAILED || runner.state() == RunnerState.STARTING;
    return isWrong ? new Cell(runner.why(), runner.state().tone()) : new Cell("", "");
  }
}
