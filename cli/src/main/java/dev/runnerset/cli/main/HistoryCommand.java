package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.Ages;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.text.Table;
import dev.runnerset.cli.text.Table.Cell;
import dev.runnerset.cli.text.Table.Column;
import dev.runnerset.cli.view.SetName;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code history}: the rollouts of sets. */
@Command(name = "history", description = "Shows the rollouts of sets, the newest first.")
final class HistoryCommand extends SetListCommand<HistoryCommand.Rollout> {
  /** One rollout of a set. */
  record Rollout(SetName set, HistoryEntry rollout) {}

  HistoryCommand(Tool tool) {
    super(tool);
  }

  @Override
  List<Rollout> items(List<AutoScalingRunnerSet> found) {
    return found.stream()
        .flatMap(set ->
            set.statusOrNone().history().stream().map(entry -> new Rollout(SetName.of(set), entry)))
        .toList();
  }

  @Override
  String name(Rollout item) {
    return item.rollout().revision();
  }

  @Override
  String none(Cluster cluster) {
    return "No rollouts yet.";
  }

  @Override
  List<String> lines(List<Rollout> rollouts, Screen screen) {
    var table =
        new Table(
            Column.text("NAMESPACE", 3),
            Column.text("SET", 0),
            Column.text("STATE", 0),
            Column.text("BEGAN", 0),
            Column.text("VERSION", 1),
            Column.text("REVISION", 2),
            Column.text("IMAGE", 3));
    for (var each : rollouts) {
      var entry = each.rollout();
      boolean isComplete = entry.state() == HistoryEntry.State.COMPLETED;
      table.row(
          new Cell(Texts.line(entry.reason()), "warn"),
          each.set().namespace(),
          each.set().name(),
          new Cell(isComplete ? "Completed" : "Partial", isComplete ? "good" : "warn"),
          Ages.since(entry.startedTime(), tool.now()) + " ago",
          Texts.line(entry.version()),
          Texts.line(entry.revision()),
          Texts.line(entry.image()));
    }
    return table.lines(screen);
  }
}
