package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was reported for one set, and what is to be reported now. The first pass of a process over a
 * set reports its problems, and takes the rest for known.
 *
 * @param wayByType the reason and message with which a condition was True last
 * @param newest the newest entry of the history; null if there was none
 */
public record EventState(
    ProblemEvents problems,
    Map<ConditionType, String> wayByType,
    ScaleEvents scale,
    @Nullable HistoryEntry newest) {
  private static final List<ConditionType> TURNS =
      List.of(ConditionType.REGISTERED, ConditionType.LISTENER_READY, ConditionType.READY);

  /** What follows from one reconcile. */
  public record Next<S>(S state, List<PendingEvent> due, RequeueTime requeueAt) {
    public Next {
      due = List.copyOf(due);
    }
  }

  public EventState {
    wayByType = Map.copyOf(wayByType);
  }

  /**
   * The events that are due.
   *
   * @param before what was reported up to now; null at the first pass of this process
   * @param set with the status as it was last written
   */
  public static Next<EventState> next(
      @Nullable EventState before, AutoScalingRunnerSet set, Instant now) {
    var status = set.statusOrNone();
    var known = before == null ? known(status) : before;
    var problems = known.problems.next(status.conditions(), now);
    var scale = known.scale.next(set, now);
    var due = new ArrayList<>(problems.due());
    var ways = known.turns(status.conditions(), due);
    var newest = known.rollout(status.history(), due);
    due.addAll(scale.due());
    return new Next<>(
        new EventState(problems.state(), ways, scale.state(), newest),
        due,
        problems.requeueAt().or(scale.requeueAt()));
  }

  private static EventState known(AutoScalingRunnerSetStatus status) {
    var none = new EventState(ProblemEvents.NONE, Map.of(), ScaleEvents.of(status.runners()), null);
    return new EventState(
        none.problems,
        none.turns(status.conditions(), new ArrayList<>()),
        none.scale,
        none.rollout(status.history(), new ArrayList<>()));
  }

  /**
   * Reports when the set is registered, when its listener has a session, and when the set is ready:
   * when one of these conditions turns True in another way than it was True before. A ready set
   * whose places are all taken reports nothing more, since that may change with each job.
   */
  private Map<ConditionType, String> turns(List<Condition> conditions, List<PendingEvent> due) {
    var ways = new EnumMap<ConditionType, String>(ConditionType.class);
    ways.putAll(wayByType);
    for (var type : TURNS) {
      StatusConditions.find(conditions, type, Value.TRUE)
          .ifPresent(c -> {
            var message = StatusConditions.message(c);
            var way = c.getReason() + (type == ConditionType.READY ? "" : " " + message);
            if (!way.equals(ways.put(type, way))) {
              due.add(
                  PendingEvent.normal(
                      StatusConditions.reason(c, RunnerSetReason.READY),
                      c.getType(),
                      c.getType() + " is True" + (message.isEmpty() ? "" : ": " + message)));
            }
          });
    }
    return ways;
  }

  /**
   * Reports when a rollout begins and when it ends: when its entry in the history is the newest
   * one, and when that entry is completed.
   */
  private @Nullable HistoryEntry rollout(List<HistoryEntry> history, List<PendingEvent> due) {
    if (history.isEmpty()) {
      return newest;
    }
    var now = history.getFirst();
    var former = newest;
    boolean same =
        former != null
            && former.revision().equals(now.revision())
            && former.startedTime().equals(now.startedTime());
    if (!same) {
      var unfinished =
          former == null || former.state() == HistoryEntry.State.COMPLETED
              ? ""
              : "; " + rollout(former) + " had not completed";
      due.add(
          PendingEvent.normal(
              EventReason.ROLLOUT_BEGUN, now.revision(), rollout(now) + " began" + unfinished));
    }
    boolean wasCompleted = same && former != null && former.state() == HistoryEntry.State.COMPLETED;
    if (now.state() == HistoryEntry.State.COMPLETED && !wasCompleted) {
      var end = Objects.requireNonNullElse(now.completionTime(), now.startedTime());
      var took = Duration.between(now.startedTime(), end).truncatedTo(ChronoUnit.SECONDS);
      due.add(
          PendingEvent.normal(
              EventReason.ROLLOUT_COMPLETED,
              now.revision(),
              rollout(now) + " completed after " + GoDuration.text(took)));
    }
    return now;
  }

  private static String rollout(HistoryEntry entry) {
    return "the rollout of revision " + entry.revision() + " (" + entry.image() + ")";
  }
}
