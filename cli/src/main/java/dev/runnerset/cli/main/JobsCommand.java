package dev.runnerset.cli.main;

import dev.runnerset.cli.text.RunnerTable;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.view.RunnerState;
import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.cli.view.SetView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jobs}: jobs that run, jobs that wait, and jobs that were lost. */
@Command(
    name = "jobs",
    description = {
      "Shows jobs that run and jobs that were lost with their runner, with the page of their run.",
      "GitHub does not name jobs that wait: their count is shown for each set."
    })
final class JobsCommand implements Callable<Integer> {
  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  @Option(names = "--all", description = "also jobs that ended, of runners that are kept")
  boolean all;

  private final Tool tool;

  JobsCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      var counts = SetView.worstFirst(Sets.read(cluster, sets));
      var found = RunnersCommand.read(cluster, sets);
      found.gap().ifPresent(gap -> tool.remark(gap.sentence()));
      var views =
          found.items().stream()
              .map(RunnerView::of)
              .filter(this::isShown)
              .sorted(RunnerView.BY_SET)
              .toList();
      output.print(tool, views, RunnerView::name, screen -> lines(views, counts, screen));
      return found.gap().isEmpty() ? ExitCode.OK : ExitCode.WRONG;
    }
  }

  private boolean isShown(RunnerView runner) {
    var job = runner.job();
    return job != null && (all || runner.state() == RunnerState.BUSY || !job.lostBy().isEmpty());
  }

  private List<String> lines(List<RunnerView> views, List<SetView> counts, Screen screen) {
    var lines = new ArrayList<String>();
    lines.addAll(
        views.isEmpty()
            ? List.of("No jobs run, and none was lost.")
            : RunnerTable.ofJobs(views, tool.now()).lines(screen));
    for (var set : counts) {
      if (set.jobs().waiting() > 0) {
        lines.add(
            "%s: %d jobs wait%s"
                .formatted(
                    set.name(),
                    set.jobs().waiting(),
                    set.health().sentence().isEmpty() ? "" : " (" + set.health().sentence() + ")"));
      }
    }
    return lines;
  }
}
