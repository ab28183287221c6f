package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.text.RunnerTable;
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
      var found = of(cluster, sets);
      found.gap().ifPresent(Sets::refuse);
      var views = found.items().stream().map(RunnerView::of).sorted(RunnerView.BY_SET).toList();
      output.print(tool, views, RunnerView::name, () -> lines(views, cluster));
      return ExitCode.OK;
    }
  }

  private List<String> lines(List<RunnerView> views, Cluster cluster) {
    return views.isEmpty()
        ? List.of("No runners " + Sets.where(sets.selection(cluster)) + ".")
        : RunnerTable.of(views, tool.now()).lines(tool.screen());
  }

  /** The runners of the sets that are meant. */
  static Listing<EphemeralRunner> of(Cluster cluster, SetOptions sets) {
    var selection = sets.selection(cluster);
    if (sets.set.isPresent()) {
      Sets.of(cluster, sets).gap().ifPresent(Sets::refuse); // and says so if there is none
      selection = selection.and(Labels.SET, sets.set.get());
    }
    return cluster.list(EphemeralRunner.class, selection);
  }
}
