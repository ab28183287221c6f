package dev.runnerset.controller.removal;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.Reason;
import java.util.Optional;

/**
 * Removes registrations for scale-down, age collection, rollout, the end of a runner and the
 * finalizer (SD8). It sends one request for a runner at a time, and it alone writes {@code
 * status.removal}. It remembers which ids are removed, so that nobody asks again; an answer about
 * one id says nothing about another id. Thread-safe; blocks for the calls.
 */
public interface RunnerRemover {
  /** What became of a removal. */
  sealed interface Outcome {
    /**
     * The service no longer knows the runner; its resource may be deleted.
     *
     * @param byUs whether the service removed it in answer to this request; false if nobody had to
     *     ask, or if it was gone before, which is looked up only for {@link
     *     RemovalReason#ENDED_UNHEARD} and {@link RemovalReason#ENDED_BY_DELETION}
     */
    record Removed(boolean byUs) implements Outcome {
      /** Removed by this request. */
      public Removed() {
        this(true);
      }
    }

    /** The service says that it has a job: the runner is busy-suspect now, as its status says. */
    record Refused() implements Outcome {}

    /**
     * Another request, or this one, is still removing it, or it changed since it was chosen; do not
     * choose a replacement.
     */
    record UnderWay() implements Outcome {}

    /**
     * The service no longer knows the runner, and its resource could not be deleted: that is to be
     * tried again.
     */
    record ResourceLeft() implements Outcome {}

    /**
     * The outcome is not known; ask again with backoff.
     *
     * @param reason why, for a condition
     */
    record Failed(Reason reason, String message) implements Outcome {}
  }

  /**
   * Removes the registration of the runner, by its id, or where none is known by its name and only
   * of its own scale set. Does not delete the resource.
   */
  Outcome removeRegistration(EphemeralRunner runner, RemovalReason reason);

  /**
   * The same for a runner whose start is in doubt: then also the registration of its own scale set
   * that bears its name, whatever its id.
   */
  Outcome removeAll(EphemeralRunner runner, RemovalReason reason);

  /**
   * Removes a registration that has no resource: only if the service says that it is of the
   * runner's scale set and bears its name (I5). Nothing is written about it.
   *
   * @param leftOver what would be its runner; it is not stored
   * @return empty if the registration is somebody else's
   */
  Optional<Outcome> removeLeftOver(EphemeralRunner leftOver);

  /** Whether the registration of that id of this runner is known to be gone. */
  boolean isRemoved(String uid, long runnerId);
}
