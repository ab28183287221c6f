package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.timing.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * While a quota refuses the runners of a set, one of them tries at a time, and the others are not
 * begun (RN13): each would spend a JIT config, and register a runner that cannot start. A runner
 * that is registered already has the next turn. Thread-safe.
 */
public final class QuotaTurns {
  /** How long after the last refusal the runners of the set still start one by one. */
  static final Duration ONE_BY_ONE = Duration.ofSeconds(30);

  /** The runner whose turn it is tries again after that long. */
  public static final Duration TRIES_AGAIN = Duration.ofSeconds(5);

  /** The others ask again for their turn after that long; no request is sent for that. */
  @Detail static final Duration ASKS_AGAIN = Duration.ofSeconds(2);

  /** A runner that does not come back for so long has lost its turn: it is gone, or waits. */
  @Detail static final Duration GIVEN_UP = Duration.ofSeconds(15);

  private final Map<SetKey, Turn> turnBySet = new HashMap<>(); // guarded by this

  /** Of one set: which runner tries, and since when nobody asked. */
  private static final class Turn {
    final String words;
    final Map<String, Instant> registered = new HashMap<>();
    Instant refusedAt;
    @Nullable String runner;
    Instant askedAt;

    Turn(String words, String runner, Instant now) {
      this.words = words;
      this.runner = runner;
      this.refusedAt = now;
      this.askedAt = now;
    }
  }

  /**
   * That it is not the runner's turn.
   *
   * @param words of the refusal; the same while the quota refuses
   * @param until when it may ask again
   */
  public record Wait(String words, Instant until) {}

  /**
   * Whether a runner may go on with its start; empty if it may.
   *
   * @param isRegistered whether it has its JIT config
   */
  public synchronized Optional<Wait> ask(
      SetKey set, String runner, boolean isRegistered, Instant now) {
    var turn = turnBySet.get(set);
    if (turn == null || isOver(turn.refusedAt, ONE_BY_ONE, now)) {
      turnBySet.remove(set);
      return Optional.empty();
    }
    turn.registered.values().removeIf(at -> isOver(at, GIVEN_UP, now));
    boolean isFree = turn.runner == null || isOver(turn.askedAt, GIVEN_UP, now);
    if (runner.equals(turn.runner) || (isFree && (isRegistered || turn.registered.isEmpty()))) {
      turn.runner = runner;
      turn.askedAt = now;
      turn.registered.remove(runner);
      return Optional.empty();
    }
    if (isRegistered) {
      turn.registered.put(runner, now);
    }
    return Optional.of(new Wait(turn.words, now.plus(ASKS_AGAIN)));
  }

  private static boolean isOver(Instant since, Duration limit, Instant now) {
    return !Pause.isOn(since.plus(limit), limit, now);
  }

  /** The quota refused the pod or the secret of a runner. */
  public synchronized void refused(SetKey set, String runner, String words, Instant now) {
    turnBySet.values().removeIf(turn -> isOver(turn.refusedAt, ONE_BY_ONE, now));
    var turn = turnBySet.computeIfAbsent(set, _ -> new Turn(words, runner, now));
    turn.refusedAt = now;
    if (!runner.equals(turn.runner)) {
      turn.registered.put(runner, now); // it had begun before the first refusal
    }
  }

  /** A pod was made for the runner: the next one may try. */
  public synchronized void made(SetKey set, String runner) {
    var turn = turnBySet.get(set);
    if (turn != null && runner.equals(turn.runner)) {
      turn.runner = null;
    }
  }
}
