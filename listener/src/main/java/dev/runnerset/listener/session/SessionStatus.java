package dev.runnerset.listener.session;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.ServiceConnection;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of one listener object, written on change only. The first write after a take-over
 * demands the object as it was read; every later one tests the epoch, so that a process that lost
 * the fence can write nothing (SF3). Used by one thread.
 */
final class SessionStatus {
  private final SetWriter writer;
  private final String identity;
  private final Map<String, String> keyByCondition = new HashMap<>();

  private AutoScalingListenerStatus written = AutoScalingListenerStatus.NONE;
  private AutoScalingListenerStatus wanted = AutoScalingListenerStatus.NONE;
  private long epoch;
  private @Nullable String resourceVersionToClaim;
  private String formerHolder = "";

  SessionStatus(SetWriter writer, String identity) {
    this.writer = writer;
    this.identity = identity;
  }

  /** A take-over: what stands there is adopted; nothing is written yet. */
  void claim(ListenerSnapshot listener, long newEpoch) {
    epoch = newEpoch;
    adopt(listener);
  }

  private void adopt(ListenerSnapshot listener) {
    var read = writer.readListener(listener);
    if (read == null) {
      throw new LoopExit(LoopExit.Why.GONE);
    }
    var there = read.status();
    if (there.epoch() != null && there.epoch() > epoch) {
      throw new LoopExit(LoopExit.Why.FENCED);
    }
    var conditions =
        resourceVersionToClaim == null && wanted.conditions().isEmpty()
            ? there.conditions()
            : wanted.conditions();
    written = there;
    formerHolder = there.holder() == null ? "" : there.holder();
    wanted =
        new AutoScalingListenerStatus(
            identity, epoch, there.sessionId(), there.connection(), conditions);
    resourceVersionToClaim = read.resourceVersion();
  }

  /** The epoch in the status of the listener object; 0 when there is none. */
  long epochFound(ListenerSnapshot listener) {
    var read = writer.readListener(listener);
    if (read == null) {
      throw new LoopExit(LoopExit.Why.GONE);
    }
    return read.status().epoch() == null ? 0 : read.status().epoch();
  }

  /** Who held the set before, or empty. */
  String formerHolder() {
    return formerHolder;
  }

  /** The session that stands in the status: ours, or one of who held it before; or empty. */
  String sessionId() {
    return wanted.sessionId() == null ? "" : wanted.sessionId();
  }

  void sessionId(@Nullable String id) {
    wanted =
        new AutoScalingListenerStatus(
            identity, epoch, id, wanted.connection(), wanted.conditions());
  }

  /** With what the session was opened; written with the session. */
  void connection(ServiceConnection with) {
    wanted =
        new AutoScalingListenerStatus(
            identity, epoch, wanted.sessionId(), with.hash(), wanted.conditions());
  }

  /** Whether the condition stands at False. */
  boolean isFalse(String type) {
    return wanted.conditions().stream()
        .anyMatch(c -> type.equals(c.getType()) && "False".equals(c.getStatus()));
  }

  /** All is well with {@code type}. */
  void good(String type, String reason, String message, ListenerSnapshot listener, Instant now) {
    set(type, true, new Finding(reason, reason, message), listener, now);
  }

  /** All is not well with {@code type}. */
  void bad(String type, Finding finding, ListenerSnapshot listener, Instant now) {
    set(type, false, finding, listener, now);
  }

  private void set(String type, boolean status, Finding f, ListenerSnapshot listener, Instant now) {
    var key = status + f.key();
    if (key.equals(keyByCondition.put(type, key)) && has(type)) {
      return;
    }
    List<Condition> next =
        Conditions.with(
            wanted.conditions(), type, status, f.reason(), f.message(), listener.generation(), now);
    wanted =
        new AutoScalingListenerStatus(
            identity, epoch, wanted.sessionId(), wanted.connection(), next);
  }

  private boolean has(String type) {
    return wanted.conditions().stream().anyMatch(c -> type.equals(c.getType()));
  }

  /** Whether something is wanted that is not written. */
  boolean isDirty() {
    return !wanted.equals(written);
  }

  /**
   * Writes what is wanted, if it is not written; one request, or three when the object changed
   * since it was read.
   *
   * @throws KubeRefusal when it could not be written for now
   * @throws LoopExit when the fence is another's, or the object gone
   */
  void flush(ListenerSnapshot listener) {
    if (!isDirty()) {
      return;
    }
    try {
      write(listener);
    } catch (KubeRefusal e) {
      switch (e.kind()) {
        case GONE -> throw new LoopExit(LoopExit.Why.GONE);
        case STALE -> {
          adoptKeeping(listener);
          write(listener);
        }
        case TEST_FAILED -> {
          if (epochFound(listener) != epoch) {
            throw new LoopExit(LoopExit.Why.FENCED);
          }
          throw e;
        }
        case FORBIDDEN, UNAVAILABLE -> throw e;
      }
    }
    written = wanted;
    resourceVersionToClaim = null;
  }

  private void adoptKeeping(ListenerSnapshot listener) {
    var keep = wanted;
    adopt(listener);
    wanted = keep;
  }

  private void write(ListenerSnapshot listener) {
    if (resourceVersionToClaim != null) {
      writer.claimListener(listener, resourceVersionToClaim, wanted);
    } else {
      writer.updateListener(listener, epoch, wanted);
    }
  }
}
