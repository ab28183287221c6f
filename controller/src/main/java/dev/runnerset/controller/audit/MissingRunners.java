package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runners that are not known to be registered, and for how long others were not. Immutable.
 *
 * @param sinceByUid since when each has been missing
 * @param beforeByUid how long each was missing before, in all
 * @param noneSince since when none has been missing; null while one is
 */
@Pure
public record MissingRunners(
    Map<String, Instant> sinceByUid,
    Map<String, Duration> beforeByUid,
    @Nullable Instant noneSince) {
  static final MissingRunners NONE = new MissingRunners(Map.of(), Map.of(), null);

  /** Copies both maps. */
  public MissingRunners {
    sinceByUid = Map.copyOf(sinceByUid);
    beforeByUid = Map.copyOf(beforeByUid);
  }

  /** There are only those runners now, each known to be registered or not. */
  MissingRunners next(List<RunnerView> runners, Instant now) {
    var missing = new HashMap<String, Instant>();
    RegisteredRunners.missing(runners)
        .forEach(r -> missing.put(r.uid(), sinceByUid.getOrDefault(r.uid(), now)));
    var since = noneSince == null ? now : noneSince;
    // when none was missing for a while, all were online, whoever was missing before
    boolean wereAllOnline = !now.isBefore(since.plus(RegistrationCondition.TOLD_AFTER));
    var before = new HashMap<>(wereAllOnline ? Map.<String, Duration>of() : beforeByUid);
    sinceByUid.forEach((uid, from) -> {
      if (!missing.containsKey(uid)) {
        before.merge(uid, Duration.between(from, now), Duration::plus);
      }
    });
    before.keySet().retainAll(runners.stream().map(RunnerView::uid).collect(Collectors.toSet()));
    return new MissingRunners(missing, before, missing.isEmpty() ? since : null);
  }

  /**
   * How long each runner had been missing by then, in all, by uid. The counts name nobody, so a
   * runner that was missing, was not, and is again was most likely missing all the time: another
   * runner stood for it.
   */
  public Map<String, Duration> missedFor(Instant at) {
    var all = new HashMap<>(beforeByUid);
    sinceByUid.forEach((uid, since) -> {
      if (at.isAfter(since)) {
        all.merge(uid, Duration.between(since, at), Duration::plus);
      }
    });
    return Map.copyOf(all);
  }

  /** Those of the runners that have been missing since then, the longest missing first. */
  public Stream<RunnerView> since(Instant latest, List<RunnerView> runners) {
    return runners.stream()
        .filter(runner -> !since(runner).isAfter(latest))
        .sorted(
            Comparator.comparing((RunnerView runner) -> since(runner))
                .thenComparing(RunnerView::name));
  }

  private Instant since(RunnerView runner) {
    return sinceByUid.getOrDefault(runner.uid(), Instant.MAX);
  }
}
