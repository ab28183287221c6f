package dev.runnerset.e2e.chaos;

import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One fault on one set or on all: from its begin to the moment at which all are well again. */
final class ChaosRun {
  /** A set that was well for so long has not just fallen silent between two tries. */
  private static final Duration STAYS_WELL = Duration.ofSeconds(2);

  /** No job waits for longer in a set that is well, even on a full machine. */
  private static final Duration SOON = Duration.ofSeconds(15);

  /** What is not reported or well after so many times its bar will not be. */
  private static final int PATIENCE = 2;

  private static final Executor ACTS = Thread::startVirtualThread;

  private final ChaosFault fault;
  private final ChaosPlace place;
  private final List<ChaosSet> sets;
  private final Progress progress;
  private final int restartsBefore;
  private @Nullable CompletableFuture<Void> act;
  private @Nullable Instant begun;
  private @Nullable Instant holdsSince;
  private @Nullable Instant ending;
  private @Nullable Instant ended;
  private @Nullable Instant reportedAt;
  private @Nullable Instant wellSince;
  private @Nullable Instant wellAt;
  private int jobsBefore;
  private boolean over;
  private String said = "";

  ChaosRun(ChaosFault fault, ChaosPlace place, List<ChaosSet> sets, Progress progress) {
    this.fault = fault;
    this.place = place;
    this.sets = List.copyOf(sets);
    this.progress = progress;
    restartsBefore = place.programs().restarts();
  }

  boolean isOver() {
    return over;
  }

  void begin(Instant at) {
    begun = at;
    jobsBefore = completed();
    sets.forEach(s -> s.truth().expect(fault.words().may(), fault.bar()));
    progress.step(fault.id() + " begins");
    act = CompletableFuture.runAsync(() -> fault.acts().begin().accept(place), ACTS);
  }

  /**
   * Goes on with it.
   *
   * @param now what the sets say, by name; a set that nobody can read is not there
   */
  void observe(Map<String, Truth.Said> now, Instant at) {
    var running = act;
    if (running == null || begun == null || over) {
      return;
    }
    listen(now, at);
    if (!running.isDone()) {
      return;
    }
    try {
      running.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof DemoException why ? why : e;
    }
    if (ending == null) {
      holdsSince = holdsSince == null ? at : holdsSince;
      fault.acts().every().accept(place);
      boolean waits = fault.words().must() && reportedAt == null && !isLate(begun, at);
      if (!at.isBefore(holdsSince.plus(fault.hold())) && !waits) {
        ending = at;
        progress.step(fault.id() + " ends");
        act = CompletableFuture.runAsync(() -> fault.acts().end().accept(place), ACTS);
      }
    } else if (ended == null) {
      ended = at;
      sets.forEach(s -> s.truth().endAt(at.plus(fault.wellWithin())));
    } else {
      awaitHealth(now, ended, at);
    }
  }

  private void listen(Map<String, Truth.Said> now, Instant at) {
    if (reportedAt != null || begun == null) {
      return;
    }
    sets.stream()
        .map(s -> now.get(s.name()))
        .filter(Objects::nonNull)
        .flatMap(s -> s.problems().stream())
        .filter(t -> fault.words().may().matcher(t).find())
        .findFirst()
        .ifPresent(words -> {
          reportedAt = at;
          said = words;
          progress.step(
              "%s reported after %.1f s: %s".formatted(fault.id(), Times.seconds(begun, at), said));
        });
  }

  /** Well is a set that says so, whose jobs from before the end have begun, and that stays so. */
  private void awaitHealth(Map<String, Truth.Said> now, Instant since, Instant at) {
    boolean well =
        sets.stream()
            .allMatch(set -> {
              var words = Optional.ofNullable(now.get(set.name()));
              var waiting = set.facts().oldestWaiting();
              return words.isPresent()
                  && words.get().well()
                  && (waiting.isEmpty()
                      || waiting.get().isAfter(Times.later(since, at.minus(SOON))));
            });
    wellSince = !well ? null : wellSince == null ? at : wellSince;
    boolean calm = !place.programs().hasStandIn();
    if (wellSince != null && calm && !at.isBefore(wellSince.plus(STAYS_WELL))) {
      wellAt = wellSince;
      over = true;
      progress.step("%s: well after %.1f s".formatted(fault.id(), Times.seconds(since, wellSince)));
    } else if (at.isAfter(since.plus(fault.wellWithin().multipliedBy(PATIENCE)))) {
      over = true;
      progress.step(fault.id() + ": NOT well; the sets say " + now);
    }
  }

  private boolean isLate(Instant since, Instant at) {
    return at.isAfter(since.plus(fault.bar().multipliedBy(PATIENCE)));
  }

  private int completed() {
    return sets.stream().mapToInt(s -> s.service().jobCounts().completed()).sum();
  }

  /** What was found; before the next fault begins. */
  Found found() {
    var untrue = new TreeSet<String>();
    sets.forEach(s -> s.truth().untrue().forEach(words -> untrue.add(s.name() + ": " + words)));
    return new Found(
        fault,
        new Found.Seconds(
            Times.seconds(begun, ending),
            Times.seconds(begun, reportedAt),
            Times.seconds(ended, wellAt),
            longest(s -> s.truth().oldestNumbers()),
            longest(s -> s.truth().longestWait()),
            longest(s -> s.truth().unreadable())),
        said,
        List.copyOf(untrue),
        completed() - jobsBefore,
        place.programs().restarts() - restartsBefore);
  }

  private double longest(Function<ChaosSet, Duration> what) {
    return sets.stream().map(what).mapToDouble(Times::seconds).max().orElse(0);
  }
}
