package dev.runnerset.controller.autoscalingrunnerset.telling;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was told of one set, and what is to be told now. The first look of a process at a set tells
 * of its troubles, and takes the rest for known.
 */
public record Told(
    TroubleTelling troubles, TurnTelling turns, ScaleTelling scale, RolloutTelling rollout) {

  /** What follows from one look. */
  public record Next(Told told, List<Saying> sayings, RequeueTime lookAgain) {
    public Next {
      sayings = List.copyOf(sayings);
    }
  }

  /**
   * The events that are due.
   *
   * @param before what was told up to now; null at the first look of this process
   * @param set with the status as it was last written
   */
  public static Next next(@Nullable Told before, AutoScalingRunnerSet set, Instant now) {
    var known = before == null ? known(set) : before;
    var status = set.statusOrNone();
    var troubles = known.troubles.next(status.conditions(), now);
    var turns = known.turns.next(status.conditions());
    var scale = known.scale.next(set, now);
    var rollout = known.rollout.next(status.history());
    return new Next(
        new Told(troubles.telling(), turns.telling(), scale.telling(), rollout.telling()),
        Stream.of(troubles.sayings(), turns.sayings(), rollout.sayings(), scale.sayings())
            .flatMap(List::stream)
            .toList(),
        troubles.lookAgain().or(scale.lookAgain()));
  }

  private static Told known(AutoScalingRunnerSet set) {
    var status = set.statusOrNone();
    return new Told(
        TroubleTelling.NONE,
        TurnTelling.of(status.conditions()),
        ScaleTelling.of(status.runners()),
        RolloutTelling.of(status.history()));
  }
}
