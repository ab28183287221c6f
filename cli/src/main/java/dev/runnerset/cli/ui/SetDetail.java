package dev.runnerset.cli.ui;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.SetHealth;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.ScheduleStatus;
import dev.runnerset.crds.ScheduleWindow;
import dev.runnerset.crds.condition.Mending;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the page of one set shows beside its card.
 *
 * @param conditions what is wrong first
 * @param windows of the schedule, as the spec has them
 * @param schedule what holds now; null without a schedule
 * @param history rollouts, the newest first
 */
@Pure
public record SetDetail(
    List<Line> conditions,
    int minRunners,
    List<ScheduleWindow> windows,
    @Nullable ScheduleStatus schedule,
    List<HistoryEntry> history) {
  /** Rollouts that are shown; the rest is in the status. */
  private static final int ROLLOUTS = 20;

  /**
   * A condition in words.
   *
   * @param since when it got its value, as the API server has it
   * @param tone the class of its colour
   * @param todo whose turn it is; empty if nothing is wrong
   */
  public record Line(
      String type,
      String status,
      String reason,
      String message,
      String since,
      String tone,
      String todo) {}

  /** The detail of a set, from its spec and status alone. */
  public static SetDetail of(AutoScalingRunnerSet set) {
    var status = set.statusOrNone();
    var problems = SetHealth.problems(status.conditions());
    var rest = status.conditions().stream().filter(c -> !problems.contains(c));
    return new SetDetail(
        Stream.concat(problems.stream().map(c -> line(c, true)), rest.map(c -> line(c, false)))
            .toList(),
        set.minRunnersNow(),
        set.getSpec().schedule(),
        status.schedule(),
        status.history().stream().limit(ROLLOUTS).toList());
  }

  private static Line line(Condition condition, boolean isProblem) {
    var reason = Texts.line(condition.getReason());
    return new Line(
        Texts.line(condition.getType()),
        Texts.line(condition.getStatus()),
        reason,
        Texts.line(StatusConditions.message(condition)),
        Texts.line(condition.getLastTransitionTime()),
        isProblem ? "warn" : "good",
        isProblem ? Mending.of(reason).advice() : "");
  }
}
