package dev.runnerset.listener.session.context;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.session.context.ListenerCounters.Count;
import java.time.Instant;

/** Hears what a loop counts and measures. Safe for concurrent use; does not block. */
public interface SetSeries {
  /** Hears nothing. */
  SetSeries NONE =
      new SetSeries() {
        @Override
        public void counted(Count what) {}

        @Override
        public void believed(Statistics counts) {}

        @Override
        public void received(Message message, Instant now) {}

        @Override
        public void refused(KubeRefusal.Kind kind) {}
      };

  /** One thing happened. */
  void counted(Count what);

  /** The counts of the service that the listener believes now. */
  void believed(Statistics counts);

  /** A message was applied. */
  void received(Message message, Instant now);

  /** The API server did not carry out a write. */
  void refused(KubeRefusal.Kind kind);
}
