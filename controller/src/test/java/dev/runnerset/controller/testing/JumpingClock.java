package dev.runnerset.controller.testing;

import dev.runnerset.controller.rounds.Followed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A clock that goes as ever, and jumps when a test says so: what is due by then comes at once, by
 * its timers and by {@link JumpingRequeues}. So a test waits for a condition, never for time.
 * Thread-safe.
 */
public final class JumpingClock extends Clock {
  /** How long a test waits for a loaded machine, and the bar for what a controller says. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration POLL = Duration.ofMillis(60);
  private static final int STEPS = 30;

  /** The time of the last round of each timer. */
  private final Map<String, Instant> rounds = new ConcurrentHashMap<>();

  private volatile Duration ahead = Duration.ZERO;
  private volatile @Nullable Instant stands;

  @Override
  public Instant instant() {
    var at = stands;
    return at == null ? Clock.systemUTC().instant().plus(ahead) : at;
  }

  /** The same for what no administrator sets, as {@link System#nanoTime}. */
  public long nanoTime() {
    return System.nanoTime() + ahead.toNanos();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  /** It stands: however slow the machine is, nothing is late. */
  public void stand() {
    stands = instant();
  }

  /** It goes again, from the real time. */
  public void goOn() {
    stands = null;
  }

  /** It jumps: what is due by then comes now, and all else is longer ago. */
  public void pass(Duration time) {
    ahead = ahead.plus(time);
  }

  /** So much time passes in steps; after each one all timers have run, and that is so. */
  public void passInRounds(Duration time, Runnable assertion) {
    for (int i = 0; i < STEPS; i++) {
      pass(time.dividedBy(STEPS));
      var at = instant();
      Awaitility.await("a round of each timer")
          .pollInterval(TICK)
          .until(() -> rounds.values().stream().noneMatch(at::isAfter));
      assertion.run();
    }
  }

  /**
   * A wait during which this clock goes faster, at most that far: a condition that comes with time
   * comes soon, and one that comes too late by the clock does not come.
   */
  public ConditionFactory within(Duration limit, String what) {
    var step = limit.dividedBy(STEPS);
    var end = instant().plus(limit).minus(step);
    return Awaitility.await(what)
        .atMost(limit.compareTo(PATIENCE) > 0 ? limit : PATIENCE)
        .pollInterval(POLL)
        .conditionEvaluationListener(evaluated -> {
          if (!evaluated.isSatisfied() && instant().isBefore(end)) {
            pass(step);
          }
        });
  }

  /** A timer by this clock. */
  public Followed.Timer timer(String name) {
    return (delay, period, task) -> {
      var due = new AtomicReference<>(instant().plus(delay));
      var ticks =
          Followed.onThread(name)
              .every(
                  TICK,
                  TICK,
                  () -> {
                    var now = instant();
                    if (!now.isBefore(due.get())) {
                      task.run();
                      due.set(instant().plus(period));
                    }
                    rounds.put(name, now);
                  });
      return () -> {
        ticks.close();
        rounds.remove(name);
      };
    };
  }

  /** The requeues of an operator by this clock, once they have begun; the caller closes them. */
  public Followed repeating(JumpingRequeues requeues) {
    return Followed.rounds(timer("requeues"), TICK, TICK, requeues::repeatDue);
  }
}
