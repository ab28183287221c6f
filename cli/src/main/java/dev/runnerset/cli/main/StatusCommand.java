package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.text.SetTable;
import dev.runnerset.cli.view.SetView;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code status}: sets at a glance. */
@Command(
    name = "status",
    description =
        "Shows sets at a glance, what hurts most first, with one sentence for each"
            + " set that is not well.")
final class StatusCommand extends SetViewCommand {
  private static final Duration PACE = Duration.ofSeconds(2);

  @Option(
      names = {"-w", "--watch"},
      description = "show it again every 2 s, until Ctrl-C")
  boolean watch;

  StatusCommand(Tool tool) {
    super(tool);
  }

  @Override
  void show(Cluster cluster) throws InterruptedException {
    super.show(cluster);
    while (watch && !tool.out().checkError()) { // a pipe may be closed
      tool.pause().pass(PACE);
      tool.out().println();
      super.show(cluster);
    }
  }

  @Override
  List<String> lines(List<SetView> views, Screen screen) {
    return SetTable.of(views, tool.now()).lines(screen);
  }
}
