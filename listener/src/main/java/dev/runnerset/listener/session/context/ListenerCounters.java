package dev.runnerset.listener.session.context;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What a listener did, ignored or gave up, counted over all sets, or for one of them. Thread-safe.
 */
public final class ListenerCounters {
  /** One thing counted. */
  public enum Count {
    /** Messages applied and acknowledged. */
    MESSAGES,
    /** Marks for a runner that no longer exists. */
    MARKS_WITHOUT_RUNNER,
    /** Marks of another registration of the same name; taken back. */
    FOREIGN_MARKS,
    /** Polls that did not answer in their time. */
    POLLS_TIMED_OUT,
    /** Messages acknowledged without a part that could not be read. */
    MESSAGES_SKIPPED,
    /** Failures that no rule foresees; after each the set was taken over again. */
    LOOPS_FAILED,
    /** Loops that died, each started again. */
    LOOPS_DIED,
    /** Loops that hung, each replaced. */
    LOOPS_STUCK,
    /** Sessions that were opened and can be polled. */
    SESSIONS_OPENED,
    /** Sessions that the service forgot. */
    SESSIONS_LOST,
    /** Openings that failed because another session is open. */
    SESSIONS_CONFLICTING,
    /** Sessions that the service opened in such a way that they cannot be polled. */
    SESSIONS_UNUSABLE,
    /** Sessions of a former holder that were deleted after a take-over. */
    SESSIONS_TAKEN_OVER,
    /** Times that another holder had taken the fence. */
    FENCES_LOST
  }

  private final Map<Count, LongAdder> adderByCount = new EnumMap<>(Count.class);

  private final @Nullable ListenerCounters whole;
  private final SetSeries series;

  /** All zero. */
  public ListenerCounters() {
    this(null, SetSeries.NONE);
  }

  private ListenerCounters(@Nullable ListenerCounters whole, SetSeries series) {
    this.whole = whole;
    this.series = series;
    for (var count : Count.values()) {
      adderByCount.put(count, new LongAdder());
    }
  }

  /** Counts one. */
  public void add(Count count) {
    var adder = adderByCount.get(count);
    if (adder != null) {
      adder.increment();
    }
    series.counted(count);
    if (whole != null) {
      whole.add(count);
    }
  }

  /** The counters of one set: what they count is counted here, too. */
  public ListenerCounters ofSet(SetSeries itsSeries) {
    return new ListenerCounters(this, itsSeries);
  }

  /** The series of the set. */
  public SetSeries series() {
    return series;
  }

  /** The count now. */
  public long of(Count count) {
    var adder = adderByCount.get(count);
    return adder == null ? 0 : adder.sum();
  }
}
