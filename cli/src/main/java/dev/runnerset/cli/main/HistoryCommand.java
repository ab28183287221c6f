package dev.runnerset.cli.main;

import dev.runnerset.cli.text.Ages;
import dev.runnerset.cli.text.Table;
import dev.runnerset.cli.text.Table.Cell;
import dev.runnerset.cli.text.Table.Column;
import dev.runnerset.cli.view.SetName;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code history}: the rollouts of sets. */
@Command(name = "history", description = "Shows the rollouts of sets, the newest first.")
final class HistoryCommand implements Callable<Integer> {
  /** One rollout of a set. */
  record Rollout(SetName set, HistoryEntry rollout) {}

  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  private final Tool tool;

  HistoryCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      var found = Sets.of(cluster, sets);
      found.gap().ifPresent(Sets::refuse);
      var rollouts = found.items().stream().flatMap(set -> rollouts(set).stream()).toList();
      output.print(tool, rollouts, r -> r.rollout().revision(), () -> lines(rollouts));
      return ExitCode.OK;
    }
  }

  private static List<Rollout> rollouts(AutoScalingRunnerSet set) {
    return set.statusOrNone().history().stream()
        .map(entry -> new Rollout(SetName.of(set), entry))
        .toList();
  }

  private List<String> lines(List<Rollout> rollouts) {
    if (rollouts.isEmpty()) {
      return List.of("No rollouts yet.");
    }
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
    return table.lines(tool.screen());
  }
}
