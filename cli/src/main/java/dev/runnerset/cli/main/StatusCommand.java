package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.SetTable;
import dev.runnerset.cli.view.SetView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: sets at a glance. */
@Command(
    name = "status",
    description =
        "Shows sets at a glance, what hurts most first, with one sentence for each"
            + " set that is not well.")
final class StatusCommand implements Callable<Integer> {
  private static final Duration PACE = Duration.ofSeconds(2);

  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  @Option(
      names = {"-w", "--watch"},
      description = "show it again every 2 s, until Ctrl-C")
  boolean watch;

  private final Tool tool;

  StatusCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      int code = show(cluster);
      while (watch) {
        Thread.sleep(PACE);
        tool.out().println();
        code = show(cluster);
      }
      return code;
    }
  }

  private int show(Cluster cluster) {
    var found = Sets.of(cluster, sets);
    found.gap().ifPresent(Sets::refuse);
    var views = found.items().stream().map(SetView::of).sorted(SetView.WORST_FIRST).toList();
    output.print(tool, views, set -> set.name().toString(), () -> lines(views, cluster));
    return ExitCode.OK;
  }

  private List<String> lines(List<SetView> views, Cluster cluster) {
    return views.isEmpty()
        ? List.of("No sets " + Sets.where(sets.selection(cluster)) + ".")
        : SetTable.of(views, tool.now()).lines(tool.screen());
  }
}
