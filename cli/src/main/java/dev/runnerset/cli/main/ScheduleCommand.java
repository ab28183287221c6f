package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.cli.text.Table;
import dev.runnerset.cli.text.Table.Cell;
import dev.runnerset.cli.text.Table.Column;
import dev.runnerset.cli.view.SetName;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScheduleStatus;
import dev.runnerset.crds.ScheduleWindow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code schedule}: the windows of sets, which of them is open, and what changes next. */
@Command(
    name = "schedule",
    description = "Shows the windows of sets, which of them is open, and when the limits change.")
final class ScheduleCommand extends SetListCommand<ScheduleCommand.Schedule> {
  /** The schedule of a set; {@code now} is null while the controller has not followed it. */
  record Schedule(SetName set, List<ScheduleWindow> windows, @Nullable ScheduleStatus now) {}

  ScheduleCommand(Tool tool) {
    super(tool);
  }

  @Override
  List<Schedule> items(List<AutoScalingRunnerSet> found) {
    return found.stream()
        .filter(set -> !set.getSpec().schedule().isEmpty())
        .map(set ->
            new Schedule(SetName.of(set), set.getSpec().schedule(), set.statusOrNone().schedule()))
        .toList();
  }

  @Override
  String name(Schedule item) {
    return item.set().toString();
  }

  @Override
  String none(Cluster cluster) {
    return "No set has a schedule.";
  }

  @Override
  List<String> lines(List<Schedule> schedules, Screen screen) {
    var table =
        new Table(
            Column.text("NAMESPACE", 3),
            Column.text("SET", 0),
            Column.text("WINDOW", 0),
            Column.text("OPEN", 0),
            Column.text("START", 1),
            Column.text("FOR", 1),
            Column.text("TIME-ZONE", 2),
            Column.number("MIN", 1),
            Column.number("MAX", 1));
    for (var each : schedules) {
      for (var window : each.windows()) {
        table.row(row(each, window));
      }
    }
    var lines = new ArrayList<>(table.lines(screen));
    schedules.forEach(each -> lines.add(next(each)));
    return lines;
  }

  private static Object[] row(Schedule schedule, ScheduleWindow window) {
    var now = schedule.now();
    boolean isOpen = now != null && now.active().contains(window.name());
    return new Object[] {
      schedule.set().namespace(),
      schedule.set().name(),
      Texts.line(window.name()),
      isOpen ? new Cell("open", "good") : new Cell("-", "dim"),
      Texts.line(window.start()),
      Texts.line(window.duration()),
      Texts.line(window.timeZone()),
      window.minRunners() == null ? "" : window.minRunners(),
      window.maxRunners() == null ? "" : window.maxRunners()
    };
  }

  private static String next(Schedule schedule) {
    var now = schedule.now();
    if (now == null) {
      return schedule.set() + ": the controller has not followed the schedule yet";
    }
    return "%s: now %d to %d runners; %s"
        .formatted(
            schedule.set(),
            now.minRunners(),
            now.maxRunners(),
            now.nextChange() == null
                ? "nothing changes any more"
                : "next change: " + Texts.line(now.nextChange()));
  }
}
