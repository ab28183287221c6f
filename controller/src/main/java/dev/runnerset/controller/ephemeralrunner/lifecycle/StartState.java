package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.actions.JitConfigResult.Registered;
import dev.runnerset.base.Backoff;
import dev.runnerset.base.Detail;
import dev.runnerset.controller.timing.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the start of a runner is, as this process knows it. Immutable.
 *
 * @param runnerId the id of the registration that this process made or found; null while unknown
 * @param unstored the registration whose secret is not made yet, with its JIT config: never print
 *     it
 * @param podMadeAt when the API server accepted the pod; from then on there is no second start
 * @param failures failed attempts in a row
 * @param notBefore when the next attempt is allowed; null for at once
 * @param problem what keeps the runner from starting; null for nothing
 */
public record StartState(
    Stage stage,
    @Nullable Long runnerId,
    @Nullable Registered unstored,
    @Nullable Instant podMadeAt,
    int failures,
    @Nullable Instant notBefore,
    @Nullable StartProblem problem) {
  /** Between two tries to register one runner, made of times that the page has. */
  @Detail
  private static final Backoff BACKOFF =
      Backoff.of(Times.REGISTRATION_RETRY, Times.LONGEST_REGISTRATION_RETRY);

  /** So much later than a wait that was asked for a registration is tried. */
  @Detail private static final Duration JUST_AFTER = Duration.ofMillis(200);

  /** No attempt is that far away: what says so was noted before the clock was put back. */
  @Detail static final Duration LONGEST_WAIT = Times.LONGEST_REGISTRATION_RETRY.multipliedBy(2);

  /** Nothing is known: an earlier process may have begun the start. */
  public static final StartState UNSEEN = at(Stage.UNSEEN);

  /** This process makes the runner, and nobody has begun its start. */
  public static final StartState NEW = at(Stage.NEW);

  /** What is known to be made. */
  public enum Stage {
    /** Nothing is known: an earlier process may have begun, so the start begins with reads. */
    UNSEEN,
    /** The same after these reads: at most a registration by that process is there. */
    PERHAPS_REGISTERED,
    /** Nothing is made, except perhaps a registration whose JIT config is lost. */
    NEW,
    /** The runner is registered, and its secret is certainly not made. */
    REGISTERED,
    /** The secret is made, and the pod is certainly not made. */
    PREPARED,
    /** Nobody can tell whether a request made something, or still will: the start is given up. */
    UNCERTAIN,
    /** The pod is made, or was found. */
    MADE,
    /** The namespace is being deleted: nothing more is made in it. */
    PARKED
  }

  private static StartState at(Stage stage) {
    return new StartState(stage, null, null, null, 0, null, null);
  }

  /** The pod is made, or was found. */
  public StartState made(@Nullable Long id, Instant at) {
    return new StartState(Stage.MADE, id, null, at, 0, null, null);
  }

  /** The runner is registered; its secret could not be made for the time being. */
  public StartState registered(Registered fresh) {
    return new StartState(
        Stage.REGISTERED, fresh.runner().id().value(), fresh, null, failures, notBefore, problem);
  }

  /** The secret is made; the pod could not be made for the time being. */
  public StartState prepared(long id) {
    return with(Stage.PREPARED, id);
  }

  /** The API server has made nothing yet, as it said. */
  public StartState unmade() {
    boolean isSeen = stage != Stage.UNSEEN && stage != Stage.PERHAPS_REGISTERED;
    return with(isSeen ? Stage.NEW : Stage.PERHAPS_REGISTERED, null);
  }

  /** The namespace is being deleted. */
  public StartState parked(@Nullable Long id) {
    return with(Stage.PARKED, id == null ? runnerId : id);
  }

  /** The outcome of the last attempt is not known, so there is no other attempt. */
  public StartState uncertain(@Nullable Long id) {
    return new StartState(
        Stage.UNCERTAIN, id == null ? runnerId : id, null, podMadeAt, failures, null, problem);
  }

  private StartState with(Stage next, @Nullable Long id) {
    return new StartState(next, id, null, podMadeAt, failures, notBefore, problem);
  }

  /**
   * An attempt failed for that reason: the next one is allowed after 5 s, later ones after 10 s
   * each (RN13).
   *
   * @param asked how long the service asked to wait, or null. Up to 10 s the next attempt comes
   *     just after that: a moment before, the client would keep the call back, and the attempt be
   *     lost. After a longer wait the service may have been repaired or replaced meanwhile
   */
  public StartState failed(StartProblem now, @Nullable Duration asked) {
    var wait =
        asked == null || asked.compareTo(BACKOFF.longest()) > 0
            ? BACKOFF.after(failures + 1)
            : asked.plus(JUST_AFTER);
    var again = now.since().plus(wait);
    return new StartState(stage, runnerId, unstored, podMadeAt, failures + 1, again, lasting(now));
  }

  /** The next attempt is allowed then; null if no problem is the reason. */
  public StartState waiting(@Nullable StartProblem now, Instant until) {
    var next = now == null ? problem : lasting(now);
    return new StartState(stage, runnerId, unstored, podMadeAt, failures, until, next);
  }

  /** The pod waits for that; null for nothing. */
  public StartState waitingFor(@Nullable StartProblem now) {
    var next = now == null ? null : lasting(now);
    return new StartState(stage, runnerId, unstored, podMadeAt, failures, notBefore, next);
  }

  private StartProblem lasting(StartProblem now) {
    return problem == null ? now : now.lastingSince(problem);
  }
}
