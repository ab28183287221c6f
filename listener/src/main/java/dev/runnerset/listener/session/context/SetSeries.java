package dev.runnerset.listener.session.context;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.metrics.Metric;
import java.time.Instant;

/**
 * Hears what a loop counts and measures for one set; an implementation ignores what it does not
 * need. Safe for concurrent use; does not block.
 */
public interface SetSeries {
  /**
   * One thing happened.
   *
   * @param what a counter of {@code ListenerMeter}
   * @param labels one value for each label of the counter, in their order
   */
  default void counted(Metric what, String... labels) {}

  /** The counts of the service that the listener believes now. */
  default void believed(Statistics counts, Instant now) {}

  /** A message was applied. */
  default void received(Message message, Instant now) {}

  /** The API server did not carry out a write. */
  default void refused(KubeRefusal.Kind kind) {}
}
