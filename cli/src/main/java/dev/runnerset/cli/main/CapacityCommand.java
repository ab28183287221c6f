package dev.runnerset.cli.main;

import dev.runnerset.cli.text.Table;
import dev.runnerset.cli.text.Table.Cell;
import dev.runnerset.cli.text.Table.Column;
import dev.runnerset.cli.view.CapacityView;
import dev.runnerset.cli.view.SetView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code capacity}: how many jobs a set takes, and what holds that number down. */
@Command(
    name = "capacity",
    description = "Shows how many jobs each set takes at a time, and each limit of that number.")
final class CapacityCommand implements Callable<Integer> {
  @Mixin final SetOptions sets = new SetOptions();
  @Mixin final OutputOptions output = new OutputOptions();

  private final Tool tool;

  CapacityCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    try (var cluster = tool.connector().connect(sets.cluster)) {
      var found = Sets.of(cluster, sets);
      found.gap().ifPresent(Sets::refuse);
      var views = found.items().stream().map(SetView::of).sorted(SetView.WORST_FIRST).toList();
      output.print(tool, views, set -> set.name().toString(), () -> lines(views));
      return ExitCode.OK;
    }
  }

  private List<String> lines(List<SetView> views) {
    var table =
        new Table(
            Column.text("NAMESPACE", 2),
            Column.text("SET", 0),
            Column.text("TERM", 0),
            Column.number("PLACES", 0),
            Column.text("OF", 1));
    for (var set : views) {
      var capacity = set.capacity();
      row(table, set, "takes", number(capacity.advertised()), note(set));
      row(table, set, "maxRunners", number(capacity.maxRunners()), "");
      for (var limit : capacity.limits()) {
        row(table, set, limit.reason(), String.valueOf(limit.places()), of(limit.of()));
      }
      if (capacity.shadow() != null) {
        row(table, set, "Shadow", number(capacity.shadow()), "with capacity.mode: Enforce");
      }
    }
    var lines = new ArrayList<>(table.lines(tool.screen()));
    for (var set : views) {
      placement(set.capacity()).forEach(text -> lines.add(set.name() + ": " + text));
    }
    return lines;
  }

  private static void row(Table table, SetView set, String term, String places, String of) {
    boolean decides = term.equals(set.capacity().limitedBy());
    table.row(
        set.name().namespace(),
        set.name().name(),
        new Cell(term, decides ? "warn" : ""),
        places,
        of);
  }

  private static String note(SetView set) {
    return set.capacity().limitedBy() == null ? "" : "limited by " + set.capacity().limitedBy();
  }

  private static List<String> placement(CapacityView capacity) {
    return capacity.placement() == null ? List.of() : List.of(capacity.placement());
  }

  private static String of(@Nullable String of) {
    return Objects.requireNonNullElse(of, "");
  }

  private static String number(@Nullable Integer value) {
    return value == null ? "-" : String.valueOf(value);
  }
}
