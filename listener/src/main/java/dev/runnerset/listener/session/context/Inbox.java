package dev.runnerset.listener.session.context;

import dev.runnerset.listener.session.context.DesiredState.Hold;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a loop waits, and what it finds when it wakes: the latest desired state and the latest
 * answer to a poll, no queue. One thread takes, any may put.
 */
public interface Inbox {
  /** The present time. */
  Instant now();

  /** What is wanted of the loop now. */
  DesiredState desired();

  /** The answer to the poll under way, once; null while there is none. */
  Polls.@Nullable Answer takeAnswer();

  /**
   * Blocks until something was put since the last return of this method, or the instant has come.
   *
   * @param until null for no bound
   */
  void await(@Nullable Instant until) throws InterruptedException;

  /** A request of the loop has ended: the loop does not hang. Any thread may call it. */
  default void progress() {}

  /**
   * The listener object as it is now.
   *
   * @throws LoopExit when the loop has to stop
   */
  default ListenerSnapshot listenerOrExit() {
    return switch (desired()) {
      case Hold(var listener) -> listener;
      case Stop(var _) -> throw new LoopExit(LoopExit.Why.STOP);
    };
  }

  /** Like {@link #await}; an interrupt of the thread ends the loop. */
  default void awaitOrExit(@Nullable Instant until) {
    try {
      await(until);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoopExit(LoopExit.Why.STOP);
    }
  }

  /** Blocks for the whole time, or until a desired state ends the pause. */
  default void pause(Duration time, Predicate<DesiredState> ends) {
    var until = now().plus(time);
    while (now().isBefore(until) && !ends.test(desired())) {
      awaitOrExit(until);
    }
  }

  /** Blocks for the whole time, or until the loop has to stop or to listen in another way. */
  default void pauseUnlessChanged(Duration time, ListenerSnapshot known) {
    pause(
        time,
        desired ->
            switch (desired) {
              case Stop(var _) -> true;
              case Hold(var latest) ->
                  latest.deleting() != known.deleting()
                      || !latest.sameConnection(known)
                      || !latest.sameTarget(known);
            });
  }
}
