package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A runner whose hooks made something, as far as that is known.
 *
 * @param set null for a standalone runner
 * @param created what is older cannot be of its hooks
 * @param state whether its hooks can still run
 */
@Pure
record HookRunner(String uid, @Nullable String set, Instant created, State state) {
  /** Whether its hooks can still run. */
  enum State {
    /** It has not ended. */
    LIVES,
    /** It is there, and has ended. */
    ENDED,
    /** No cache shows it; its pod may be there. */
    GONE
  }

  /** A runner that the cache shows. */
  static HookRunner of(EphemeralRunner runner) {
    return of(runner, runner.statusOrNone().isTerminal() ? State.ENDED : State.LIVES);
  }

  /** A runner that the cache showed until now. */
  static HookRunner gone(EphemeralRunner runner) {
    return of(runner, State.GONE);
  }

  private static HookRunner of(EphemeralRunner runner, State state) {
    var meta = runner.getMetadata();
    return new HookRunner(
        meta.getUid(),
        Ownership.setName(runner).orElse(null),
        Objects.requireNonNullElse(
            Timestamps.parse(meta.getCreationTimestamp()), Instant.MAX), // nothing is younger
        state);
  }

  /** Whether its hooks may still run in that pod, which has its name. */
  static boolean mayRunIn(Pod pod, HookRunner runner) {
    var owners = pod.getMetadata().getOwnerReferences();
    return !PodView.of(pod).isOver()
        && (owners.isEmpty()
            || owners.stream().anyMatch(owner -> runner.uid().equals(owner.getUid())));
  }
}
