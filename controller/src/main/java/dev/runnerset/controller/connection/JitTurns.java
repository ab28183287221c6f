package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.timing.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to ask for a JIT config with one credential (CN3, docs/adr/0086): at the {@link
 * JitPace}, so many at once as the answers allow, and set by set. A runner that waits holds
 * nothing: it is told when to come back. Not thread-safe.
 */
final class JitTurns {
  /** Calls under way at first; each that is answered, and not late, adds a quarter. */
  private static final double FIRST_AT_ONCE = 2;

  private static final double MOST_AT_ONCE = 64;

  /**
   * While the service limits the rate, an answer that takes twice the usual time and this is late:
   * then fewer are sent at once.
   */
  private static final Duration LATE = Duration.ofMillis(100);

  /** All who wait come back within that time, since the pace may rise. */
  private static final Duration COMES_BACK = Duration.ofSeconds(1);

  /** The same while the service sends no refusal. */
  private static final Duration COMES_BACK_OPEN = Duration.ofMillis(100);

  /** But no more of them than one in that time, so that many waiting runners cost little. */
  private static final Duration APART = Duration.ofMillis(1);

  /** A turn that is taken late moves the next one by the rest only. */
  private static final Duration SOON = Duration.ofMillis(10);

  /** Who is so late is not waited for: it may have been deleted. */
  private static final Duration GIVEN_UP = Duration.ofMillis(500);

  /** A call has ended by then. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  private final LinkedHashMap<String, Map<String, Instant>> dueBySet =
      new LinkedHashMap<>(); // next first
  private JitPace pace = JitPace.OPEN;
  private @Nullable ServiceError why;
  private Instant next = Instant.EPOCH;
  private Instant sentLast = Instant.EPOCH;
  private int underWay;
  private double atOnce = FIRST_AT_ONCE;
  private Duration usual = Duration.ofMillis(50);

  /** Empty for a turn, which {@link #ended} gives back; else when to come back. */
  Optional<JitWait> ask(String set, String runner, Instant now) {
    for (var due : dueBySet.values()) {
      due.values().removeIf(at -> at.plus(GIVEN_UP).isBefore(now));
    }
    dueBySet.values().removeIf(Map::isEmpty);
    var waiting = dueBySet.computeIfAbsent(set, _ -> new HashMap<>());
    waiting.remove(runner);
    if (sentLast.plus(LONGEST_CALL).isBefore(now)) {
      underWay = 0;
    }
    var slot = later(next, pace.opensAt());
    boolean early = Pause.isOn(slot, JitPace.TRIED_EVERY, now);
    if (early || underWay >= atOnce || isOtherSetFirst(set, now)) {
      var due = due(waiting.values(), early ? slot : now.plus(SOON), now);
      waiting.put(runner, due);
      return Optional.of(new JitWait(due, pace.isOpen(now) ? null : why));
    }
    var _ = dueBySet.putLast(set, waiting);
    underWay++;
    sentLast = now;
    next = later(slot.isAfter(now) ? now : slot, now.minus(SOON)).plus(between(now));
    return Optional.empty();
  }

  private boolean isOtherSetFirst(String set, Instant now) {
    return dueBySet.entrySet().stream()
        .takeWhile(entry -> !entry.getKey().equals(set))
        .anyMatch(entry -> entry.getValue().values().stream().anyMatch(due -> !due.isAfter(now)));
  }

  /** The next turn, if nobody of the set comes for it; else after the others of the set. */
  private Instant due(Collection<Instant> others, Instant first, Instant now) {
    var answers = usual.dividedBy((long) atOnce);
    var step = later(between(now), answers).multipliedBy(dueBySet.size());
    var latest = others.stream().max(Comparator.naturalOrder());
    var claimed = first.plus(step.dividedBy(2));
    if (latest.isEmpty() || others.stream().allMatch(claimed::isBefore)) {
      return first;
    }
    var round = pace.isOpen(now) ? COMES_BACK_OPEN : COMES_BACK;
    var apart = later(round.dividedBy(others.size()), APART);
    return later(first, latest.get().plus(step.compareTo(apart) < 0 ? step : apart));
  }

  private Duration between(Instant now) {
    return Duration.ofNanos((long) (1e9 / pace.at(now)));
  }

  /** A call that had its turn has ended, without an error if null. */
  void ended(Instant sent, Instant now, @Nullable ServiceError error) {
    underWay = Math.max(0, underWay - 1);
    if (error != null) {
      limited(sent, now, error);
      return;
    }
    pace = pace.accepted(sent, now);
    var took = Duration.between(sent, now);
    // a service that sends no refusal may be slow: it is not slowed further
    boolean late = !pace.isOpen(now) && took.compareTo(usual.multipliedBy(2).plus(LATE)) > 0;
    atOnce = Math.clamp(late ? atOnce * 0.9 : atOnce + 0.25, FIRST_AT_ONCE, MOST_AT_ONCE);
    var slower =
        usual.plus(usual.dividedBy(1000)); // a service that stays slow is not late for ever
    usual = took.compareTo(slower) < 0 ? took : slower;
  }

  /** What the service answers to other calls with the credential counts if it limits their rate. */
  void limited(Instant sent, Instant now, ServiceError error) {
    if (!(error instanceof ServiceError.RateLimited(var details, var asked))) {
      return;
    }
    var wait = Objects.requireNonNullElse(asked, Duration.ZERO);
    why = error;
    if (details.status() == 0) {
      pace = pace.heldUntil(RequeueTime.earlier(now.plus(wait), now.plus(JitPace.TRIED_EVERY)));
      return;
    }
    pace = pace.refused(sent, now, wait);
    if (pace.refusedAt().equals(now)) {
      atOnce = FIRST_AT_ONCE;
      next = later(next, now.plus(between(now)));
    }
  }

  /** JIT configs a second; infinite without a limit. */
  double perSecond(Instant now) {
    return pace.at(now);
  }

  private static <T extends Comparable<T>> T later(T one, T other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
