package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.children.LiveRunners;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the runners that somebody forces while their set is being deleted: the annotation is
 * enough, on a runner or on the set (RN12). Thread-safe; one thread per set.
 */
final class ForcedRunners {
  /** How often the runners of a set are listed for it. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final LiveRunners runners;
  private final Clock clock;
  private final Map<String, Instant> nextByUid;

  ForcedRunners(LiveRunners runners, Memories memories, Clock clock) {
    this.nextByUid = memories.byUid();
    this.runners = runners;
    this.clock = clock;
  }

  /**
   * One look, unless it is too early for one; blocks for requests.
   *
   * @return when the next one is due
   */
  Instant apply(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var uid = set.getMetadata().getUid();
    var now = clock.instant();
    var due = nextByUid.getOrDefault(uid, now);
    if (now.isBefore(due)) {
      return due;
    }
    var next = now.plus(LOOK_EVERY);
    nextByUid.put(uid, next);
    if (ForcedDeletion.isOf(set)) {
      runners.list(set, ers).stream()
          .filter(runner -> !ForcedDeletion.isOf(runner))
          .forEach(runners::force);
    }
    runners.delete(set, ers, ForcedDeletion::isOf);
    return next;
  }
}
