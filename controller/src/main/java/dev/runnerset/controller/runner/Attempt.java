package dev.runnerset.controller.runner;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one runner beside what the caches show: they may be behind our own
 * writes.
 *
 * @param runnerId of the registration we made or found, as soon as it is known
 * @param podMadeAt when our POST of the pod succeeded; from then on there is no second start
 * @param failures of the start in a row
 * @param notBefore when the start may be tried again
 * @param trouble what keeps it from starting
 * @param written our part of the status as we last sent it
 * @param removalFailures failed removals in a row
 * @param removalNotBefore when the removal may be asked for again
 * @param connectionLostSince since when the finaliser has had no credentials
 */
record Attempt(
    Stage stage,
    @Nullable Long runnerId,
    @Nullable Instant podMadeAt,
    int failures,
    @Nullable Instant notBefore,
    @Nullable Trouble trouble,
    @Nullable WrittenStatus written,
    int removalFailures,
    @Nullable Instant removalNotBefore,
    @Nullable Instant connectionLostSince) {

  /** How far the start is. */
  enum Stage {
    /** Nothing is known to be made. */
    NONE,
    /** The secret holds a JIT config that no pod was made with, as the server said for certain. */
    PREPARED,
    /** The pod is made, or was found. */
    MADE,
    /** The namespace is going away: nothing more is made. */
    PARKED
  }

  /** Nothing known. */
  static final Attempt NONE =
      new Attempt(Stage.NONE, null, null, 0, null, null, null, 0, null, null);

  Attempt made(@Nullable Long id, Instant at) {
    return new Attempt(Stage.MADE, id, at, 0, null, null, written, 0, null, null);
  }

  Attempt prepared(long id) {
    return with(Stage.PREPARED, id);
  }

  Attempt parked() {
    return with(Stage.PARKED, runnerId);
  }

  /** The outcome of the last try is not known: the next one begins with live reads. */
  Attempt unknown() {
    return with(Stage.NONE, runnerId);
  }

  private Attempt with(Stage next, @Nullable Long id) {
    return new Attempt(
        next,
        id,
        podMadeAt,
        failures,
        notBefore,
        trouble,
        written,
        removalFailures,
        removalNotBefore,
        connectionLostSince);
  }

  /** A start that failed for a known reason: again after 5 s, doubling to 60 s. */
  Attempt failed(Trouble now) {
    var wait = BackOff.after(failures, Duration.ofSeconds(5), Duration.ofSeconds(60));
    return new Attempt(
        stage,
        runnerId,
        podMadeAt,
        failures + 1,
        now.since().plus(wait),
        standing(now),
        written,
        removalFailures,
        removalNotBefore,
        connectionLostSince);
  }

  /** What the pod waits for now, or null. */
  Attempt troubledBy(@Nullable Trouble now) {
    return new Attempt(
        stage,
        runnerId,
        podMadeAt,
        failures,
        notBefore,
        now == null ? null : standing(now),
        written,
        removalFailures,
        removalNotBefore,
        connectionLostSince);
  }

  Attempt wrote(WrittenStatus status) {
    return new Attempt(
        stage,
        runnerId,
        podMadeAt,
        failures,
        notBefore,
        trouble,
        status,
        removalFailures,
        removalNotBefore,
        connectionLostSince);
  }

  /** A removal that told nothing: again after 2 s, doubling to 60 s. */
  Attempt removalFailed(Instant now) {
    var wait = removalWait(removalFailures, Duration.ofSeconds(60));
    return removal(removalFailures + 1, now.plus(wait), connectionLostSince);
  }

  /**
   * When the removal may be asked for again of a runner that nobody waits for: the wait doubles on
   * to 4 min, within which a warning is counted on the one before. Null when nothing failed.
   */
  @Nullable Instant patientRemovalNotBefore() {
    if (removalFailures == 0 || removalNotBefore == null) {
      return null;
    }
    var failedAt = removalNotBefore.minus(removalWait(removalFailures - 1, Duration.ofSeconds(60)));
    return failedAt.plus(removalWait(removalFailures - 1, Duration.ofMinutes(4)));
  }

  private static Duration removalWait(int failuresBefore, Duration most) {
    return BackOff.after(failuresBefore, Duration.ofSeconds(2), most);
  }

  /** There are no credentials at {@code now}; null if it is not for want of them. */
  Attempt connectionLost(@Nullable Instant now) {
    var since = connectionLostSince == null ? now : connectionLostSince;
    return removal(removalFailures, removalNotBefore, now == null ? null : since);
  }

  /** A removal that was answered; the next may be asked for at {@code again}. */
  Attempt removalAnswered(Instant again) {
    return removal(0, again, null);
  }

  private Attempt removal(int failed, @Nullable Instant again, @Nullable Instant lostSince) {
    return new Attempt(
        stage, runnerId, podMadeAt, failures, notBefore, trouble, written, failed, again,
        lostSince);
  }

  private Trouble standing(Trouble now) {
    return trouble == null ? now : now.standingSince(trouble);
  }
}
