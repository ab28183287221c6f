package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.SetTable;
import dev.runnerset.cli.view.FleetView;
import dev.runnerset.cli.view.SetView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code top}: sets, redrawn while they change. */
@Command(
    name = "top",
    description = {
      "Shows sets every 2 s, what hurts most first, until Ctrl-C.",
      "Where the output is no terminal it shows them once."
    })
final class TopCommand implements Callable<Integer> {
  private static final Duration PACE = Duration.ofSeconds(2);
  private static final String HOME = "\u001B[H";
  private static final String TO_END_OF_LINE = "\u001B[K";
  private static final String TO_END_OF_SCREEN = "\u001B[J";

  @Mixin final SetOptions sets = new SetOptions();

  @Option(names = "--once", description = "show them once, and end")
  boolean once;

  private final Tool tool;

  TopCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      if (once || !tool.screen().isTerminal()) {
        tool.print(lines(cluster));
        return ExitCode.OK;
      }
      while (!tool.out().checkError()) {
        var page = new StringBuilder(HOME);
        lines(cluster).forEach(line -> page.append(line).append(TO_END_OF_LINE).append('\n'));
        // one write: a screen that is cleared first flickers
        tool.out().print(page.append(TO_END_OF_SCREEN));
        tool.out().flush();
        tool.pause().pass(PACE);
      }
      return ExitCode.OK;
    }
  }

  private List<String> lines(Cluster cluster) {
    var views = SetView.worstFirst(Sets.read(cluster, sets));
    var lines = new ArrayList<String>();
    lines.add(FleetView.of(views).line());
    lines.addAll(SetTable.of(views, tool.now()).lines(tool.screen()));
    return lines;
  }
}
