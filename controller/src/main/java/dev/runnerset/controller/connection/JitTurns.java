package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.controller.timing.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to ask for a JIT config with one credential (CN3, docs/adr/0086): set by set and
 * at the {@link JitPace} once the service has limited the rate; else after a slow start at once. A
 * runner that waits holds nothing: it is told when to come back, or woken. Not thread-safe.
 */
final class JitTurns {
  /** Calls under way at first, while there is no limit. */
  private static final int FIRST_AT_ONCE = 2;

  /** Each that is accepted adds so much: 32 are under way after five round trips. */
  private static final double GROWS = 0.7;

  /** A connection sends 32 at once; some more are ready, so that this limit costs no time. */
  private static final int MOST_AT_ONCE = 40;

  /** All who wait come back within that time, since the pace may rise. */
  private static final Duration COMES_BACK = Duration.ofSeconds(3);

  /** But no more than one in that time, or twice the pace: many waiting runners cost little. */
  private static final Duration APART = Duration.ofMillis(10);

  /** Who waits for answers to others is woken, and comes back then if that was lost. */
  private static final Duration NOT_WOKEN = Duration.ofSeconds(1);

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

  /** Empty for a turn, which is given back by its end; else when to come back. */
  Optional<JitWait> ask(String set, String runner, Instant now) {
    forget(now);
    var waiting = dueBySet.computeIfAbsent(set, _ -> new HashMap<>());
    waiting.remove(runner);
    var slot = later(next, pace.opensAt());
    boolean early = Pause.isOn(slot, JitPace.TRIED_EVERY, now);
    boolean open = pace.isOpen(now);
    boolean full = open && underWay >= atOnce;
    if (early || full || isOtherSetFirst(set, now)) {
      var first = early ? slot : now.plus(full ? NOT_WOKEN : SOON);
      var due = due(waiting.values(), first, now);
      waiting.put(runner, due);
      return Optional.of(new JitWait(due, open && !early ? null : why));
    }
    var _ = dueBySet.putLast(set, waiting);
    underWay++;
    sentLast = now;
    next = later(slot.isAfter(now) ? now : slot, now.minus(SOON)).plus(between(now));
    return Optional.empty();
  }

  /** Who does not come, and what was noted before the clock was put back. */
  private void forget(Instant now) {
    var latest = now.plus(JitPace.FORGOTTEN_AFTER);
    dueBySet
        .values()
        .forEach(due ->
            due.values().removeIf(at -> at.plus(GIVEN_UP).isBefore(now) || at.isAfter(latest)));
    dueBySet.values().removeIf(Map::isEmpty);
    if (!Pause.isOn(sentLast.plus(LONGEST_CALL), LONGEST_CALL, now)) {
      underWay = 0;
    }
    if (now.isBefore(pace.refusedAt())) {
      pace = JitPace.OPEN;
    }
  }

  private boolean isOtherSetFirst(String set, Instant now) {
    return dueBySet.entrySet().stream()
        .takeWhile(entry -> !entry.getKey().equals(set))
        .anyMatch(entry -> entry.getValue().values().stream().anyMatch(due -> !due.isAfter(now)));
  }

  /** The next turn, if nobody of the set comes for it; else after the others of the set. */
  private Instant due(Collection<Instant> others, Instant first, Instant now) {
    var step = between(now).multipliedBy(dueBySet.size());
    var latest = others.stream().max(Comparator.naturalOrder());
    var claimed = first.plus(step.dividedBy(2));
    if (latest.isEmpty() || others.stream().allMatch(claimed::isBefore)) {
      return first;
    }
    var round = COMES_BACK.dividedBy(others.size());
    var least = APART.multipliedBy(dueBySet.size());
    var fast = pace.isOpen(now) ? least : earlier(least, step.dividedBy(2));
    return later(first, latest.get().plus(later(fast, earlier(step, round))));
  }

  private Duration between(Instant now) {
    return Duration.ofNanos((long) (1e9 / pace.at(now)));
  }

  /** The service accepted a call that had its turn; returns the runners that may come now. */
  List<String> accepted(Instant sent, Instant now) {
    pace = pace.accepted(sent, now);
    atOnce = Math.min(atOnce + GROWS, MOST_AT_ONCE);
    return ended(now);
  }

  /** A call that had its turn failed otherwise if null; returns the runners that may come now. */
  List<String> failed(Instant sent, Instant now, @Nullable ServiceError error) {
    if (error instanceof ServiceError.RateLimited(var details, var asked)
        && details.status() != 0) {
      var wait = Objects.requireNonNullElse(asked, Duration.ZERO);
      boolean waited = dueBySet.values().stream().anyMatch(due -> !due.isEmpty());
      pace = pace.refused(sent, now, wait, waited);
      atOnce = pace.refusedAt().equals(now) ? FIRST_AT_ONCE : atOnce;
    }
    limited(now, error);
    return ended(now);
  }

  /** What the service answers to other calls with the credential holds these, too. */
  void limited(Instant now, @Nullable ServiceError error) {
    if (error instanceof ServiceError.RateLimited(var _, var asked)) {
      why = error;
      pace = pace.held(now, Objects.requireNonNullElse(asked, Duration.ZERO));
      next = later(next, now.plus(between(now)));
    }
  }

  private List<String> ended(Instant now) {
    underWay = Math.max(0, underWay - 1);
    if (!pace.isOpen(now) || Pause.isOn(pace.opensAt(), JitPace.TRIED_EVERY, now)) {
      return List.of();
    }
    var woken = new ArrayList<String>();
    int places = (int) Math.ceil(atOnce) - underWay;
    for (var due : dueBySet.values()) {
      for (var waits : due.entrySet()) {
        if (places-- > 0 && waits.getValue().isAfter(now)) { // else it comes already
          woken.add(waits.getKey());
          waits.setValue(now);
        }
      }
    }
    return woken;
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
