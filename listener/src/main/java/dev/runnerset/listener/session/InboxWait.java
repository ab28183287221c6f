package dev.runnerset.listener.session;

import dev.runnerset.listener.session.DesiredState.Hold;
import dev.runnerset.listener.session.DesiredState.Stop;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How a loop waits: in its inbox, so that a wish is seen at once. */
final class InboxWait {
  private final Inbox inbox;
  private final Clock clock;

  InboxWait(Inbox inbox, Clock clock) {
    this.inbox = inbox;
    this.clock = clock;
  }

  Instant now() {
    return clock.instant();
  }

  DesiredState wish() {
    return inbox.wish();
  }

  /** The listener object as it is wanted now; a stop leaves. */
  ListenerSnapshot listenerOrLeave() {
    return switch (inbox.wish()) {
      case Hold(var listener) -> listener;
      case Stop(var _) -> throw new LoopExit(LoopExit.Why.STOP);
    };
  }

  /** Waits for something new in the inbox, or the instant. */
  void await(@Nullable Instant until) {
    try {
      inbox.await(until);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoopExit(LoopExit.Why.STOP);
    }
  }

  /** Waits the whole time, unless the wish comes to satisfy {@code enough}. */
  void pause(Duration time, Predicate<DesiredState> enough) {
    var until = now().plus(time);
    while (now().isBefore(until) && !enough.test(inbox.wish())) {
      await(until);
    }
  }

  /** Waits the whole time, unless the listener object comes to want something else. */
  void pauseUnlessChanged(Duration time, ListenerSnapshot known) {
    pause(
        time,
        wish ->
            switch (wish) {
              case Stop(var _) -> true;
              case Hold(var l) ->
                  l.deleting() != known.deleting()
                      || !l.sameConnection(known)
                      || !l.spec().runnerSet().equals(known.spec().runnerSet());
            });
  }
}
