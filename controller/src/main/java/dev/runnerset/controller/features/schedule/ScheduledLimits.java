package dev.runnerset.controller.features.schedule;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.Limits.Limit;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.ScheduleStatus;
import dev.runnerset.crds.ScheduleWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a set that hold at an instant (SC1 to SC3).
 *
 * @param open names of the open windows, the first one first
 * @param nextChange when a window opens or closes next; null if that is not known
 * @param requeueAt the earliest instant at which these limits may be others
 * @param problems which windows cannot be followed as they are written, and what to change
 */
@Pure
record ScheduledLimits(
    Limit minRunners,
    Limit maxRunners,
    List<String> open,
    @Nullable Instant nextChange,
    RequeueTime requeueAt,
    List<String> problems) {
  public ScheduledLimits {
    open = List.copyOf(open);
    problems = List.copyOf(problems);
  }

  /** The limits at that instant. */
  static ScheduledLimits of(AutoScalingRunnerSetSpec spec, Instant now) {
    var usual = Limits.usual(spec);
    var problems = new ArrayList<String>();
    var windows = windows(spec.schedule(), usual.maxRunners(), problems);
    var open = new ArrayList<Window>();
    var until = Instant.MAX;
    boolean known = false;
    for (var window : windows) {
      var state = window.at(now);
      if (state.open()) {
        open.add(window);
      }
      if (state.until().isBefore(until)) {
        until = state.until();
        known = state.changes();
      }
    }
    return new ScheduledLimits(
        limit(open, "minRunners", ScheduleWindow::minRunners, usual.minRunners()),
        limit(open, "maxRunners", ScheduleWindow::maxRunners, usual.maxRunners()),
        open.stream().map(window -> Window.cut(window.spec().name())).toList(),
        known ? until : null,
        until.equals(Instant.MAX) ? RequeueTime.NEVER : RequeueTime.at(until),
        problems);
  }

  private static List<Window> windows(
      List<ScheduleWindow> schedule, Limit usualMaximum, List<String> problems) {
    var windows = new ArrayList<Window>();
    for (int i = 0; i < schedule.size(); i++) {
      var spec = schedule.get(i);
      var field = "spec.schedule[%d] '%s'".formatted(i, Window.cut(spec.name()));
      try {
        windows.add(Window.of(field, spec));
        problem(spec, usualMaximum).ifPresent(why -> problems.add(field + ": " + why));
      } catch (IllegalArgumentException e) {
        problems.add(field + ": " + e.getMessage() + "; until then it never opens");
      }
    }
    return windows;
  }

  private static Optional<String> problem(ScheduleWindow spec, Limit usualMaximum) {
    var min = spec.minRunners();
    if (min == null && spec.maxRunners() == null) {
      return Optional.of("it changes nothing: give it minRunners or maxRunners, or remove it");
    }
    return min != null && spec.maxRunners() == null && min > usualMaximum.value()
        ? Optional.of(
            "minRunners is %d, but %s allows %d: give the window a maxRunners of its own"
                .formatted(min, usualMaximum.field(), usualMaximum.value()))
        : Optional.empty();
  }

  /** That of the first open window that has one. */
  private static Limit limit(
      List<Window> open,
      String name,
      Function<ScheduleWindow, @Nullable Integer> field,
      Limit usual) {
    for (var window : open) {
      var value = field.apply(window.spec());
      if (value != null) {
        return new Limit(value, name + " of " + window.field());
      }
    }
    return usual;
  }

  /** What the status says of the schedule: no more idle runners than there may be runners. */
  public ScheduleStatus status() {
    var change = nextChange == null ? null : nextChange.toString();
    int min = Math.min(minRunners.value(), maxRunners.value());
    return new ScheduleStatus(open, min, maxRunners.value(), change);
  }
}
