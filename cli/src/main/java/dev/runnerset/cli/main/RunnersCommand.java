package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.text.RunnerTable;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code runners}: which runner does what. */
@Command(name = "runners", description = "Shows the runners of sets, with their jobs and nodes.")
final class RunnersCommand implements Callable<Integer> {
  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  private final Tool tool;

  RunnersCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      Sets.check(cluster, sets);
      var found = read(cluster, sets);
      found.gap().ifPresent(Sets::refuse);
      var views = found.items().stream().map(RunnerView::of).sorted(RunnerView.BY_SET).toList();
      output.print(tool, views, RunnerView::name, screen -> lines(views, cluster, screen));
      return ExitCode.OK;
    }
  }

  private List<String> lines(List<RunnerView> views, Cluster cluster, Screen screen) {
    return views.isEmpty()
        ? List.of("No runners " + Named.where(sets.selection(cluster)) + ".")
        : RunnerTable.of(views, tool.now()).lines(screen);
  }

  /** The runners of the sets that are meant, whether these are there or not. */
  static Listing<EphemeralRunner> read(Cluster cluster, SetOptions sets) {
    var selection = sets.selection(cluster);
    return cluster.list(
        EphemeralRunner.class,
        sets.set.map(name -> selection.and(Labels.SET, name)).orElse(selection));
  }
}
