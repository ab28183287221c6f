package dev.runnerset.listener.main;

import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The listener objects, and the loop of each while this process holds the lease. Thread-safe. */
final class Loops {
  private final Starter starter;
  private final Map<String, ListenerSnapshot> listenerByUid = new HashMap<>(); // guarded by this
  private final Map<String, LoopInbox> loopByUid = new HashMap<>(); // guarded by this
  private final Set<String> finished = new HashSet<>(); // guarded by this
  private final List<LoopInbox> ending = new ArrayList<>(); // guarded by this
  private boolean leading; // guarded by this

  /** Starts a loop on a thread of its own; {@code ended} is called at its end. Does not block. */
  interface Starter {
    LoopInbox start(ListenerSnapshot listener, boolean insteadOfStuck, Runnable ended);
  }

  Loops(Starter starter) {
    this.starter = starter;
  }

  synchronized void seen(ListenerSnapshot listener) {
    var uid = listener.uid();
    listenerByUid.put(uid, listener);
    var loop = loopByUid.get(uid);
    if (loop != null) {
      loop.seen(listener);
    } else {
      startIfWanted(listener);
    }
  }

  synchronized void gone(String uid) {
    listenerByUid.remove(uid);
    finished.remove(uid);
    var loop = loopByUid.remove(uid);
    if (loop != null) {
      loop.stop(StopReason.GONE);
      ending.add(loop);
    }
  }

  /** This process holds the lease: every object gets its loop. */
  synchronized void begin() {
    leading = true;
    listenerByUid.values().forEach(this::startIfWanted);
  }

  /** Every loop ends, and none starts. */
  synchronized void end(StopReason reason) {
    leading = false;
    for (var loop : loopByUid.values()) {
      loop.stop(reason);
      ending.add(loop);
    }
    loopByUid.clear();
    finished.clear();
  }

  private void startIfWanted(ListenerSnapshot listener) {
    var uid = listener.uid();
    if (leading && !loopByUid.containsKey(uid) && !finished.contains(uid)) {
      loopByUid.put(uid, starter.start(listener, false, () -> ended(uid)));
    }
  }

  /**
   * Replaces each loop that has made no progress for so long. The loop that hangs may touch nothing
   * when it wakes: the new one takes the fence.
   *
   * @return the listener objects concerned
   */
  synchronized List<ListenerSnapshot> replaceStuck(Duration after) {
    var stuck =
        loopByUid.entrySet().stream()
            .filter(entry -> entry.getValue().busyFor().compareTo(after) >= 0)
            .map(Map.Entry::getKey)
            .toList();
    var replaced = new ArrayList<ListenerSnapshot>();
    for (var uid : stuck) {
      var listener = listenerByUid.get(uid);
      var old = loopByUid.remove(uid);
      if (old != null) {
        old.stop(StopReason.LEASE_LOST);
        old.interrupt();
      }
      if (listener != null) {
        loopByUid.put(uid, starter.start(listener, true, () -> ended(uid)));
        replaced.add(listener);
      }
    }
    return replaced;
  }

  /** A loop that ended by itself is not started again: its object is being deleted. */
  private synchronized void ended(String uid) {
    ending.removeIf(LoopInbox::isOnThisThread);
    var loop = loopByUid.get(uid);
    if (loop != null && loop.isOnThisThread()) {
      loopByUid.remove(uid);
      finished.add(uid);
    }
  }

  /** Blocks until no loop is ending; false when the time was too short. */
  boolean awaitEnd(Duration time) {
    var until = System.nanoTime() + time.toNanos();
    for (var loop : endingNow()) {
      if (!loop.awaitEnd(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }

  void interrupt() {
    endingNow().forEach(LoopInbox::interrupt);
  }

  private synchronized List<LoopInbox> endingNow() {
    return List.copyOf(ending);
  }
}
