package dev.runnerset.cli.text;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.text.Table.Cell;
import dev.runnerset.cli.text.Table.Column;
import dev.runnerset.cli.view.SetView;
import dev.runnerset.crds.RunnerMode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Sets at a glance: a row each, and below it what is wrong. */
@Pure
public final class SetTable {
  private SetTable() {}

  /** The table of the sets, in their order. */
  public static Table of(List<SetView> sets, Instant now) {
    var table =
        new Table(
            Column.text("NAMESPACE", 2),
            Column.text("SET", 0),
            Column.text("STATE", 0),
            Column.number("DESIRED", 3),
            Column.number("STARTING", 2),
            Column.number("IDLE", 1),
            Column.number("BUSY", 0),
            Column.number("WAITING", 0),
            Column.text("FOR", 2),
            Column.number("TAKES", 3),
            Column.text("LIMIT", 4));
    for (var set : sets) {
      table.row(
          new Cell(set.health().sentence(), set.health().level().tone()),
          set.name().namespace(),
          set.name().name(),
          new Cell(state(set), set.health().level().tone()),
          set.runners().desired(),
          new Cell(String.valueOf(set.runners().pending()), set.runners().stuck() > 0 ? "bad" : ""),
          set.runners().idle(),
          set.runners().busy(),
          new Cell(String.valueOf(set.jobs().waiting()), set.jobs().waiting() > 0 ? "warn" : ""),
          Ages.since(set.jobs().waitingSince(), now),
          set.capacity().advertised() == null ? "-" : set.capacity().advertised(),
          Objects.requireNonNullElse(set.capacity().limitedBy(), ""));
    }
    return table;
  }

  private static String state(SetView set) {
    if (!set.health().reason().isEmpty()) {
      return set.health().reason();
    }
    return set.mode() == RunnerMode.ACTIVE ? "Ready" : set.mode().toString();
  }
}
