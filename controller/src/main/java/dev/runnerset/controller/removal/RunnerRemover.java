package dev.runnerset.controller.removal;

import dev.runnerset.crds.EphemeralRunner;

/**
 * The one way in which a registration is removed (SD8): for scale-down, age collection, revision
 * change, deadlines and the finalizer alike. One request a runner uid at a time; it alone writes
 * {@code status.removal}; it remembers which ids of a runner are removed, so that the finalizer
 * does not ask again. An answer about one id says nothing about another id. Safe for concurrent
 * use; blocks for the calls.
 */
public interface RunnerRemover {
  /** What became of a removal. */
  sealed interface Outcome {
    /**
     * The service no longer knows the runner; its resource may go.
     *
     * @param byUs whether the service removed it in answer to this request; false if nobody had to
     *     ask, or if it was gone before, which is looked up only for {@link
     *     RemovalReason#ENDED_UNHEARD}
     */
    record Removed(boolean byUs) implements Outcome {
      /** Removed by this request. */
      public Removed() {
        this(true);
      }
    }

    /** It has a job: the runner is a busy-suspect now, as its status says. */
    record Refused() implements Outcome {}

    /**
     * It is going, by another request or to the end of this one, or it changed since it was chosen:
     * none goes in its place.
     */
    record UnderWay() implements Outcome {}

    /** Nothing is known; ask again with backoff. */
    record Failed(String message) implements Outcome {}
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

  /** Whether the registration of that id of this runner is known to be gone. */
  boolean isRemoved(String uid, long runnerId);

  /** Forgets a runner whose resource is gone. */
  void forget(String uid);
}
