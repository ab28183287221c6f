package dev.runnerset.e2e.stalls;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.SetHealth;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One cause on one set: from the cause to the moment at which the set is well again. */
final class StallRun {
  /** A set that was well for so long has not just fallen silent between two tries. */
  private static final Duration STAYS_WELL = Duration.ofSeconds(3);

  /** What is not reported or healed after so many times its bar will not be. */
  private static final int PATIENCE = 2;

  /** How long event and metric are waited for beyond the bar. */
  private static final Duration TRACES = Duration.ofSeconds(5);

  private static final Duration JOB = Duration.ofSeconds(1);

  private static final Executor REPAIRS = Thread::startVirtualThread;

  private final Stall stall;
  private final SeparateSet set;
  private final boolean warm;
  private final Progress progress;
  private @Nullable Instant causedAt;
  private @Nullable Instant reportedAt;
  private @Nullable Instant eventAt;
  private @Nullable Instant metricAt;
  private @Nullable Instant repairedAt;
  private @Nullable Instant wellSince;
  private @Nullable Instant healedAt;
  private @Nullable CompletableFuture<Void> repair;
  private long generation;
  private long registrations;
  private boolean touched;
  private boolean over;
  private String said = "";
  private volatile String why = "";
  private @Nullable CompletableFuture<String> asked;
  private String reason = "";
  private List<String> left = List.of();

  /**
   * A run that has not begun.
   *
   * @param warm whether the set is to have run jobs before
   */
  StallRun(Stall stall, SeparateSet set, boolean warm, Progress progress) {
    this.stall = stall;
    this.set = set;
    this.warm = warm;
    this.progress = progress;
  }

  Stall stall() {
    return stall;
  }

  SeparateSet set() {
    return set;
  }

  boolean isWarm() {
    return warm;
  }

  /** Whether the set is well again, or will not be. */
  boolean isOver() {
    return over;
  }

  /** Brings the cause about, with jobs that need new runners. */
  void cause(Instant now) {
    causedAt = now;
    registrations = -set.registrations();
    stall.acts().cause().accept(set);
    if (!warm) {
      set.make("", stall.pod());
    }
    set.jobs(3, JOB);
  }

  /**
   * Reads the set as it stands now; repairs when the cause was reported, or will not be.
   *
   * @param traces what else tells of sets
   */
  void observe(@Nullable AutoScalingRunnerSet now, Traces traces, Instant at) {
    if (now == null || causedAt == null || over) {
      return;
    }
    note(now);
    var conditions = now.statusOrNone().conditions();
    if (repair == null) {
      awaitReport(conditions, causedAt, traces, at);
    } else if (repairedAt == null) {
      awaitRepair(repair, at);
    } else {
      awaitHealth(conditions, repairedAt, at);
    }
  }

  private void note(AutoScalingRunnerSet now) {
    long seen = now.getMetadata().getGeneration();
    touched |= generation != 0 && seen != generation;
    generation = seen;
  }

  private void awaitReport(List<Condition> conditions, Instant since, Traces traces, Instant at) {
    var words = stall.saidIn(conditions, set.name());
    if (reportedAt == null && words.isPresent()) {
      reportedAt = at;
      said = SetHealth.words(words.get());
      reason = words.get().getReason();
      asked = ask(); // at once: a rate limit comes and goes
      progress.step(
          "%s reported after %.1f s: %s".formatted(set.name(), Times.seconds(since, at), said));
    }
    if (reportedAt == null) {
      if (isLate(since, at)) {
        said = String.join("; ", SetHealth.problems(conditions));
        progress.step(set.name() + " NOT reported; the set says: " + said);
        repair();
      }
      return;
    }
    if (eventAt == null
        && traces
            .events(set.namespace())
            .anyMatch(e -> stall.matches(e.getReason(), e.getMessage(), set.name()))) {
      eventAt = at;
    }
    if (metricAt == null && isCounted(traces.metrics())) {
      metricAt = at;
    }
    boolean complete = eventAt != null && metricAt != null;
    if (complete || at.isAfter(since.plus(stall.bar().plus(TRACES)))) {
      if (!complete) {
        reportMissing(traces);
      }
      repair();
    }
  }

  private void reportMissing(Traces traces) {
    var events =
        traces
            .events(set.namespace())
            .map(e -> e.getLastTimestamp() + " " + e.getReason() + ": " + e.getMessage())
            .toList();
    progress.step(
        "%s: event after %s, series after %s; its events: %s"
            .formatted(
                set.name(),
                Times.seconds(causedAt, eventAt),
                Times.seconds(causedAt, metricAt),
                events));
  }

  /** What tells of sets beside their conditions. */
  interface Traces {
    /** The events of the sets of a namespace. */
    Stream<Event> events(String namespace);

    /** The page of the controller. */
    String metrics();
  }

  private boolean isCounted(String metrics) {
    return metrics
        .lines()
        .anyMatch(line ->
            line.startsWith("runnerset_set_condition{")
                && line.contains("name=\"" + set.name() + "\"")
                && line.contains("reason=\"" + reason + "\"")
                && line.endsWith(" 1.0"));
  }

  /** A repair may take its time: a secret can only be made when the former one is gone. */
  private void repair() {
    registrations += set.registrations();
    repair =
        (asked == null ? ask() : asked)
            .thenAcceptAsync(
                answer -> {
                  why = answer;
                  progress.step("why: " + why);
                  stall.acts().repair().accept(set);
                },
                REPAIRS);
  }

  private CompletableFuture<String> ask() {
    return CompletableFuture.supplyAsync(() -> WhyAnswer.firstLine(set), REPAIRS);
  }

  private void awaitRepair(CompletableFuture<Void> running, Instant at) {
    if (running.isDone()) {
      running.join();
      repairedAt = at;
    }
  }

  /** Well is a set that stays so until the jobs that waited are done. */
  private void awaitHealth(List<Condition> conditions, Instant since, Instant at) {
    boolean well = SetHealth.isWell(conditions);
    wellSince = !well ? null : wellSince == null ? at : wellSince;
    left = SetHealth.problems(conditions);
    if (wellSince != null && set.isDone() && !at.isBefore(wellSince.plus(STAYS_WELL))) {
      healedAt = wellSince;
      over = true;
      progress.step(
          "%s healed after %.1f s".formatted(set.name(), Times.seconds(since, wellSince)));
    } else if (isLate(since, at)) {
      progress.step(set.name() + " NOT healed; the set says: " + left);
      over = true;
    }
  }

  private boolean isLate(Instant since, Instant at) {
    return at.isAfter(since.plus(stall.bar().multipliedBy(PATIENCE)));
  }

  /** What was found. */
  StallResult found() {
    return new StallResult(
        set.name(),
        stall,
        new StallResult.Seconds(
            Times.seconds(causedAt, reportedAt),
            Times.seconds(causedAt, eventAt),
            Times.seconds(causedAt, metricAt),
            Times.seconds(repairedAt, healedAt)),
        new StallResult.Said(said, why),
        healedAt == null ? left : List.of(),
        registrations,
        touched);
  }
}
