package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.hooks.NodesToLeave;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are cordoned, and since when this process knows it. Empty while nodes cannot be
 * watched. Thread-safe.
 */
public final class CordonedNodes implements NodesToLeave {
  private final Map<String, Instant> sinceByNode = new ConcurrentHashMap<>();
  private final AtomicLong version = new AtomicLong();

  /** The node is cordoned; true if that is new. */
  public boolean cordoned(String node, Instant now) {
    boolean isNew = sinceByNode.putIfAbsent(node, now) == null;
    version.incrementAndGet(); // after the change: who reads it before reads the set again
    return isNew;
  }

  /** The node takes pods again, or is gone. */
  public void uncordoned(String node) {
    sinceByNode.remove(node);
    version.incrementAndGet();
  }

  @Override
  public long version() {
    return version.get();
  }

  @Override
  public @Nullable Instant since(@Nullable String node, Instant created) {
    var since = node == null ? null : sinceByNode.get(node);
    return since != null && created.isBefore(since.plus(ShieldTimes.SCHEDULER_LAG)) ? since : null;
  }
}
