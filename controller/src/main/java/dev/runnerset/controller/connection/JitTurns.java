package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.Detail;
import dev.runnerset.controller.timing.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which runner may ask for a JIT config with one credential (CN3, docs/adr/0086). Runners
 * ask at the {@link JitPace}, as many at once as the answers allow, and the sets take turns. A
 * runner that waits holds nothing, and gets the time at which it asks again. Not thread-safe.
 */
final class JitTurns {
  /** Calls under way at first; each that is accepted adds a quarter. */
  private static final double FIRST_AT_ONCE = 2;

  private static final double MOST_AT_ONCE = 64;

  /** Without a limit a runner asks again after the time of so many answers at the latest. */
  private static final int ANSWERS = 4;

  /** At most one runner asks again before its turn in this time. */
  @Detail private static final Duration APART = Duration.ofMillis(1);

  /** A turn that is taken late moves the next one by the rest only. */
  @Detail private static final Duration SOON = Duration.ofMillis(10);

  /** A runner that is so late loses its turn: it may have been deleted. */
  @Detail private static final Duration GIVEN_UP = Duration.ofMillis(500);

  /** A call has ended by then. */
  @Detail private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  private final LinkedHashMap<String, Map<String, Instant>> turnsBySet =
      new LinkedHashMap<>(); // next first
  private JitPace pace = JitPace.OPEN;
  private @Nullable ServiceError why;
  private Instant next = Instant.EPOCH;
  private Instant sentLast = Instant.EPOCH;
  private int underWay;
  private double atOnce = FIRST_AT_ONCE;
  private Duration usual = Duration.ofMillis(50); // of an answer

  /** Empty for a turn, which {@link #ended} gives back; else when to come back. */
  Optional<JitWait> ask(String set, String runner, Instant now) {
    forget(now);
    var waiting = turnsBySet.computeIfAbsent(set, _ -> new HashMap<>());
    waiting.remove(runner);
    var slot = later(next, pace.opensAt());
    boolean early = Pause.isOn(slot, ConnectionTimes.HELD_TRIED_EVERY, now);
    if (early || underWay >= atOnce || isOtherSetFirst(set, now)) {
      var turn = firstFree(waiting.values(), early ? slot : now.plus(SOON), now);
      waiting.put(runner, turn);
      boolean isAnswered = pace.isOpen(now) && !early; // by answers to others
      return Optional.of(new JitWait(comesBack(turn, isAnswered, now), isAnswered ? null : why));
    }
    var _ = turnsBySet.putLast(set, waiting);
    underWay++;
    sentLast = now;
    next = later(slot.isAfter(now) ? now : slot, now.minus(SOON)).plus(between(now));
    return Optional.empty();
  }

  /** Forgets runners that missed their turn, and all state from before a clock was put back. */
  private void forget(Instant now) {
    if (now.plus(ConnectionTimes.HELD_TRIED_EVERY).isBefore(sentLast)) {
      turnsBySet.clear();
      pace = JitPace.OPEN;
      sentLast = Instant.EPOCH;
    }
    turnsBySet.values().forEach(turns -> turns.values().removeIf(at -> isOver(at, GIVEN_UP, now)));
    turnsBySet.values().removeIf(Map::isEmpty);
    underWay = isOver(sentLast, LONGEST_CALL, now) ? 0 : underWay;
  }

  private static boolean isOver(Instant at, Duration limit, Instant now) {
    return at.plus(limit).isBefore(now);
  }

  private boolean isOtherSetFirst(String set, Instant now) {
    return turnsBySet.entrySet().stream()
        .takeWhile(entry -> !entry.getKey().equals(set))
        .anyMatch(entry -> entry.getValue().values().stream().anyMatch(at -> !at.isAfter(now)));
  }

  /** The first turn of the set that none of its other runners comes for. */
  private Instant firstFree(Collection<Instant> others, Instant first, Instant now) {
    var answers = takes(now).dividedBy((long) atOnce);
    var step = later(between(now), answers).multipliedBy(turnsBySet.size());
    var turn = first;
    for (var other : others.stream().sorted().toList()) {
      if (turn.plus(step.dividedBy(2)).isBefore(other)) {
        break;
      }
      turn = later(turn, other.plus(step));
    }
    return turn;
  }

  private Instant comesBack(Instant turn, boolean isAnswered, Instant now) {
    var wait = Duration.between(now, turn);
    var comes = wait.compareTo(ConnectionTimes.COMES_FOR_ITS_TURN) <= 0 ? wait : wait.dividedBy(2);
    int waiting = turnsBySet.values().stream().mapToInt(Map::size).sum();
    var soon = later(takes(now).multipliedBy(ANSWERS), APART.multipliedBy(waiting));
    var round = isAnswered ? soon : ConnectionTimes.LONGEST_FOR_A_TURN;
    return now.plus(earlier(comes, earlier(round, ConnectionTimes.LONGEST_FOR_A_TURN)));
  }

  /** How long an answer takes: at least as long as a call under way has waited. */
  private Duration takes(Instant now) {
    return underWay == 0 ? usual : later(usual, Duration.between(sentLast, now));
  }

  private Duration between(Instant now) {
    return Duration.ofNanos((long) (1e9 / pace.at(now)));
  }

  /**
   * A call that had its turn has ended.
   *
   * @param error null if the service accepted it, or gave no answer at all
   */
  void ended(Instant sent, Instant now, boolean accepted, @Nullable ServiceError error) {
    underWay = Math.max(0, underWay - 1);
    if (accepted) {
      pace = pace.accepted(sent, now);
      atOnce = Math.min(atOnce + 0.25, MOST_AT_ONCE);
      var took = later(Duration.ZERO, Duration.between(sent, now));
      usual = usual.multipliedBy(7).plus(took).dividedBy(8);
    } else if (error instanceof ServiceError.RateLimited && error.details().status() != 0) {
      boolean waited = turnsBySet.values().stream().anyMatch(turns -> !turns.isEmpty());
      pace = pace.refused(sent, now, waited);
      atOnce = pace.refusedAt().equals(now) ? FIRST_AT_ONCE : atOnce;
    }
    limited(now, error);
  }

  /** What limits the rate of other calls with the credential holds these for that time, too. */
  void limited(Instant now, @Nullable ServiceError error) {
    if (error instanceof ServiceError.RateLimited(var _, var asked)) {
      why = error;
      pace = pace.held(now, Objects.requireNonNullElse(asked, Duration.ZERO));
      next = later(next, now.plus(between(now)));
    }
  }

  /** JIT configs a second; infinite without a limit. */
  double perSecond(Instant now) {
    return pace.at(now);
  }

  private static Duration earlier(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static <T extends Comparable<T>> T later(T one, T other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
