package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was reported for one set, and what is to be reported now. The first pass of a process over a
 * set reports its problems, and takes the rest for known.
 */
public record EventState(
    ProblemEvents problems, ReadyEvents turns, ScaleEvents scale, RolloutEvents rollout) {

  /** What follows from one reconcile. */
  public record Next(EventState state, List<PendingEvent> due, RequeueTime requeueAt) {
    public Next {
      due = List.copyOf(due);
    }
  }

  /**
   * The events that are due.
   *
   * @param before what was reported up to now; null at the first pass of this process
   * @param set with the status as it was last written
   */
  public static Next next(@Nullable EventState before, AutoScalingRunnerSet set, Instant now) {
    var known = before == null ? known(set) : before;
    var status = set.statusOrNone();
    var problems = known.problems.next(status.conditions(), now);
    var turns = known.turns.next(status.conditions());
    var scale = known.scale.next(set, now);
    var rollout = known.rollout.next(status.history());
    return new Next(
        new EventState(problems.state(), turns.state(), scale.state(), rollout.state()),
        Stream.of(problems.due(), turns.due(), rollout.due(), scale.due())
            .flatMap(List::stream)
            .toList(),
        problems.requeueAt().or(scale.requeueAt()));
  }

  private static EventState known(AutoScalingRunnerSet set) {
    var status = set.statusOrNone();
    return new EventState(
        ProblemEvents.NONE,
        ReadyEvents.of(status.conditions()),
        ScaleEvents.of(status.runners()),
        RolloutEvents.of(status.history()));
  }
}
