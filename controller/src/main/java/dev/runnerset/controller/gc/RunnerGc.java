package dev.runnerset.controller.gc;

import dev.runnerset.controller.rounds.LeaderWork;
import dev.runnerset.controller.rounds.Rounds;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the sweeps of age collection, on the leader only, and by the period, never by events. The
 * first sweep comes one minimum age after leadership began (AC6).
 */
public final class RunnerGc implements LeaderWork {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerGc.class);

  private final AgeCollection rules;
  private final IdleAgeSweeper sweeper;
  private final Rounds rounds;
  private final Clock clock;
  private @Nullable Instant leadsSince; // guarded by this

  /** The component; it does nothing before it leads. */
  public RunnerGc(
      AgeCollection rules,
      SweptSets sets,
      SetRunners runners,
      ExecutorService threads,
      Periodic periodic,
      Clock clock) {
    this.rules = rules;
    this.sweeper = new IdleAgeSweeper(rules, sets, runners, threads, clock);
    this.rounds = new Rounds(periodic);
    this.clock = clock;
  }

  @Override
  public synchronized void lead() {
    if (leadsSince != null) {
      return;
    }
    leadsSince = clock.instant();
    var settings = rules.settings();
    rounds.begin(settings.minimumAge(), settings.period(), this::sweep);
    LOG.atDebug().addKeyValue("period", settings.period()).log("runner-gc begins");
  }

  private void sweep() {
    if (isWarm()) {
      sweeper.sweep();
    }
  }

  /** Whether the first sweep is due by the clock: timers may run a little early. */
  private synchronized boolean isWarm() {
    return leadsSince != null
        && !clock.instant().isBefore(leadsSince.plus(rules.settings().minimumAge()));
  }

  @Override
  public synchronized void close() {
    leadsSince = null;
    rounds.close();
  }
}
