package dev.runnerset.controller.features.rerun;

import dev.runnerset.base.Detail;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.features.rerun.LostRuns.Run;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.LostJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Goes through the lost jobs of all sets, while this process leads, and has each run with lost jobs
 * read when that is due (RR5). The runs of a set are read one after another, each set on a thread
 * of its own. A set without lost jobs costs nothing.
 */
public final class RerunRounds {
  /** Between two rounds. */
  @Detail public static final Duration PERIOD = Duration.ofSeconds(1);

  private static final Slot<RerunTurns> TURNS = new Slot<>();

  private final Supplier<Stream<AutoScalingRunnerSet>> sets;
  private final ServiceConnections connections;
  private final RunRerun runs;
  private final RerunReports reports;
  private final Memories ofSets;
  private final Executor threads;
  private final Clock clock;

  /**
   * The rounds of one controller.
   *
   * @param sets that belong to this controller, as the cache has them
   * @param ofSets what the process remembers of runner sets
   * @param threads one thread for each set with a run to read
   */
  public RerunRounds(
      Supplier<Stream<AutoScalingRunnerSet>> sets,
      ServiceConnections connections,
      RerunBook book,
      RerunReports reports,
      Memories ofSets,
      Executor threads,
      Clock clock) {
    this.sets = sets;
    this.connections = connections;
    this.runs = new RunRerun(connections, book, reports, clock);
    this.reports = reports;
    this.ofSets = ofSets;
    this.threads = threads;
    this.clock = clock;
  }

  /** One round. Does not block. */
  public void round() {
    sets.get().forEach(this::round);
  }

  private void round(AutoScalingRunnerSet set) {
    var losses = set.statusOrNone().lostJobs();
    var policy = RerunPolicy.of(set);
    if (losses.isEmpty() && policy.isEmpty()) {
      return;
    }
    var turns = ofSets.of(set).begin(TURNS, RerunTurns::new);
    var byRun = LostRuns.of(losses);
    turns.keep(byRun.keySet());
    var now = clock.instant();
    boolean due = byRun.keySet().stream().anyMatch(run -> turns.isDue(run, now));
    boolean asksForRights = policy.isPresent() && turns.asksForRights(version(set), now);
    if ((!due && !asksForRights) || !turns.begin()) {
      return;
    }
    try {
      threads.execute(() -> {
        try {
          if (asksForRights) {
            checkRights(set, turns);
          }
          byRun.forEach((run, lost) -> goOn(set, run, lost, turns));
        } finally {
          turns.end();
        }
      });
    } catch (RejectedExecutionException e) { // the process ends
      turns.end();
    }
  }

  private void goOn(
      AutoScalingRunnerSet set, Run run, Map<String, LostJob> lost, RerunTurns turns) {
    if (!turns.isDue(run, clock.instant())) {
      return;
    }
    // also if it breaks: the caches need a moment to show what was written
    turns.next(run, clock.instant().plus(RerunTimes.AFTER_FAILURE));
    turns.next(run, runs.goOn(set, run, lost, turns));
  }

  /** Reports beforehand that no rerun can succeed, as far as GitHub has said that (RR6). */
  private void checkRights(AutoScalingRunnerSet set, RerunTurns turns) {
    long version = version(set);
    turns.asksForRightsAt(clock.instant().plus(RerunTimes.RIGHTS));
    try {
      var may = connections.to(ScaleSetRegistrar.key(set)).mayRerun();
      if (may.isPresent()) {
        turns.knowsRights(version);
        if (!may.get()) {
          reports.mayNot(set);
        }
      }
    } catch (InvalidConnectionException e) {
      // the set itself reports it
    }
  }

  private long version(AutoScalingRunnerSet set) {
    return connections.version(ScaleSetRegistrar.key(set));
  }
}
