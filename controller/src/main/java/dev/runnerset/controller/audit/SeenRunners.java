package dev.runnerset.controller.audit;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the passes over a set saw of its runners: which are not known to be registered, since when,
 * and which have gone. Thread-safe: the sweeps read it.
 */
public final class SeenRunners {
  /** What went shortly before a count may be in that count: clocks differ, and calls take time. */
  @Detail static final Duration AROUND = Duration.ofMinutes(1);

  /**
   * A runner that is not online.
   *
   * @param since when the service was first seen not to have it
   */
  public record Missing(RunnerView runner, Instant since) {}

  /** A runner that went. */
  private record Gone(Instant at, boolean mayBeRegistered) {}

  /** Whether each may have a registration; guarded by this. */
  private final Map<String, Boolean> presentByName = new HashMap<>();

  /** Those that went, the last ones last; guarded by this. */
  private final Map<String, Gone> goneByName = new LinkedHashMap<>();

  private @Nullable Instant changedAt; // when one came or went; null at first; guarded by this

  /** By since when and by name; guarded by this. */
  private final NavigableMap<Instant, NavigableMap<String, Missing>> missing = new TreeMap<>();

  private final Map<String, Instant> missingSinceByUid = new HashMap<>(); // guarded by this

  /** How long those that are there were missing before, in all; guarded by this. */
  private final Map<String, Duration> beforeByUid = new HashMap<>();

  private @Nullable Instant noneSince; // none was missing; null while one is; guarded by this

  /** Those changes were seen. */
  public synchronized void observe(List<Change> changes, Instant now) {
    boolean changed = changedAt == null;
    for (var change : changes) {
      changed |= isNews(change, now);
    }
    changedAt = changed ? now : changedAt;
    var oldest = goneByName.values().iterator();
    while (oldest.hasNext() && oldest.next().at().plus(AuditTimes.KNOWN_FOR).isBefore(now)) {
      oldest.remove();
    }
    var since = noneSince == null ? now : noneSince;
    if (!now.isBefore(since.plus(AuditTimes.UNREGISTERED_AFTER))) {
      beforeByUid.clear(); // all were online for a while, whoever was missing before
    }
    changes.forEach(change -> countMissing(change, now));
    noneSince = missing.isEmpty() ? since : null;
  }

  private boolean isNews(Change change, Instant now) {
    var before = change.before();
    var after = change.after();
    if (after == null) {
      var name = before == null ? "" : before.name();
      var registered = presentByName.remove(name);
      if (registered != null) {
        goneByName.remove(name);
        goneByName.put(name, new Gone(now, registered));
      }
      return registered != null;
    }
    boolean may =
        !after.ofAnotherScaleSet()
            && !RunnerStatuses.isDeregistered(after.resource().statusOrNone());
    return !Boolean.valueOf(may).equals(presentByName.put(after.name(), may));
  }

  private void countMissing(Change change, Instant now) {
    var before = change.before();
    var after = change.after();
    var since = before == null ? null : missingSinceByUid.remove(before.uid());
    if (before != null && since != null) {
      var same = missing.getOrDefault(since, new TreeMap<>());
      same.remove(before.name());
      if (same.isEmpty()) {
        missing.remove(since);
      }
    }
    if (after != null && RegisteredRunners.isMissing(after)) {
      var from = since == null ? now : since;
      missingSinceByUid.put(after.uid(), from);
      missing
          .computeIfAbsent(from, at -> new TreeMap<>())
          .put(after.name(), new Missing(after, from));
    } else if (after != null && since != null) {
      beforeByUid.merge(after.uid(), Duration.between(since, now), Duration::plus);
    } else if (after == null && before != null) {
      beforeByUid.remove(before.uid());
    }
  }

  /** Whether no pass has seen the set yet. */
  public synchronized boolean isUnknown() {
    return changedAt == null;
  }

  /** When a runner came or went last; the first observation at the latest. */
  synchronized Instant changedAt() {
    return changedAt == null ? Instant.MIN : changedAt;
  }

  /** How many registrations these runners explain, with those that went since then. */
  synchronized int expectedRegistrations(Instant since) {
    long gone =
        goneByName.values().stream()
            .filter(each -> each.mayBeRegistered() && !each.at().isBefore(since))
            .count();
    return presentRegistrations() + (int) gone;
  }

  /** How many registrations the runners explain that are there now. */
  synchronized int presentRegistrations() {
    return (int) presentByName.values().stream().filter(may -> may).count();
  }

  /** The names that are no left-overs: those of runners, and those of the last ones that went. */
  public synchronized Set<String> names() {
    var names = new HashSet<>(presentByName.keySet());
    names.addAll(goneByName.keySet());
    return names;
  }

  /**
   * From when on a registration of that name may be a left-over, if its runner went lately; else
   * empty.
   */
  public synchronized Optional<Instant> knownUntil(String name) {
    return Optional.ofNullable(goneByName.get(name))
        .map(gone -> gone.at().plus(AuditTimes.KNOWN_FOR));
  }

  /** Since when one has been missing; empty while none is. */
  synchronized Optional<Instant> openSince() {
    return missing.isEmpty() ? Optional.empty() : Optional.of(missing.firstKey());
  }

  /**
   * The first of those that have been missing since then, the longest missing first; by name if
   * equal.
   */
  public synchronized List<Missing> missingSince(Instant latest, int most) {
    var first = new ArrayList<Missing>();
    for (var same : missing.headMap(latest, true).values()) {
      same.values().stream().limit(most - first.size()).forEach(first::add);
      if (first.size() >= most) {
        break;
      }
    }
    return List.copyOf(first);
  }

  /** Has it noted when the next runner has been missing for that long. */
  synchronized void noteNext(Duration patience, Now now) {
    var next = missing.higherKey(now.instant().minus(patience));
    if (next != null) {
      now.isPast(next, patience);
    }
  }

  /**
   * How long each runner had been missing by then, in all, by uid. The counts name nobody, so a
   * runner that was missing, was not, and is again was most likely missing all the time: another
   * runner stood for it.
   */
  public synchronized Map<String, Duration> missedFor(Instant at) {
    var all = new HashMap<>(beforeByUid);
    missingSinceByUid.forEach((uid, since) -> {
      if (at.isAfter(since)) {
        all.merge(uid, Duration.between(since, at), Duration::plus);
      }
    });
    return Map.copyOf(all);
  }
}
