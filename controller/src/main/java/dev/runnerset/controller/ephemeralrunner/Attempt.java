package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.actions.JitConfigResult.Registered;
import dev.runnerset.controller.ephemeralrunner.StartState.Stage;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one runner beside what the caches show: they may be behind our own
 * writes.
 *
 * @param trouble what keeps it from starting
 * @param written our part of the status as we last sent it
 * @param removal what became of the removal of its registration
 * @param liveLook its pod, where the cache does not show it
 */
record Attempt(
    StartState start,
    @Nullable StartProblem trouble,
    @Nullable WrittenStatus written,
    RemovalState removal,
    @Nullable LivePodRead liveLook) {

  /** Nothing known. */
  static final Attempt NONE =
      new Attempt(StartState.at(Stage.UNSEEN), null, null, RemovalState.NONE, null);

  /** Of a runner that this process makes: nobody has begun its start. */
  static final Attempt NEW =
      new Attempt(StartState.at(Stage.NEW), null, null, RemovalState.NONE, null);

  /**
   * What the removal of a registration came to.
   *
   * @param failures in a row
   * @param notBefore when it may be asked for again
   * @param connectionLostSince since when there have been no credentials for it
   * @param nothingLeft whether nothing of the runner is at the service; it never starts again
   * @param byUs whether a request of ours removed it: the service had it until then
   */
  record RemovalState(
      int failures,
      @Nullable Instant notBefore,
      @Nullable Instant connectionLostSince,
      boolean nothingLeft,
      boolean byUs) {
    static final RemovalState NONE = waiting(0, null, null);

    static RemovalState waiting(
        int failures, @Nullable Instant notBefore, @Nullable Instant connectionLostSince) {
      return new RemovalState(failures, notBefore, connectionLostSince, false, false);
    }
  }

  Stage stage() {
    return start.stage();
  }

  @Nullable Long runnerId() {
    return start.runnerId();
  }

  @Nullable Instant podMadeAt() {
    return start.podMadeAt();
  }

  @Nullable Instant notBefore() {
    return start.notBefore();
  }

  @Nullable Instant removalNotBefore() {
    return removal.notBefore();
  }

  @Nullable Instant connectionLostSince() {
    return removal.connectionLostSince();
  }

  Attempt made(@Nullable Long id, Instant at) {
    return new Attempt(
        new StartState(Stage.MADE, id, null, at, 0, null),
        null,
        written,
        RemovalState.NONE,
        liveLook);
  }

  /** The secret could not be made for the time being. */
  Attempt registered(Registered fresh) {
    return with(start.registered(fresh));
  }

  /** The secret is made, the pod could not be made for the time being. */
  Attempt prepared(long id) {
    return with(start.with(Stage.PREPARED, id));
  }

  /** Nothing is made yet at the API server, as it said for certain. */
  Attempt unmade() {
    return with(start.with(Stage.NEW, null));
  }

  Attempt parked(@Nullable Long id) {
    return with(start.with(Stage.PARKED, id == null ? runnerId() : id));
  }

  /** The outcome of the last try is not known: there is no other one. */
  Attempt uncertain(@Nullable Long id) {
    return with(start.uncertain(id));
  }

  /** The start as it was before a try that changed nothing. */
  Attempt startedAs(StartState before) {
    return with(before);
  }

  private Attempt with(StartState next) {
    return new Attempt(next, trouble, written, removal, liveLook);
  }

  /** A start that failed for a known reason: again after 5 s, doubling to 60 s. */
  Attempt failed(StartProblem now) {
    var wait = BackOff.after(start.failures(), Duration.ofSeconds(5), Duration.ofSeconds(60));
    return new Attempt(
        start.failed(now.since().plus(wait)), standing(now), written, removal, liveLook);
  }

  /** What the pod waits for now, or null. */
  Attempt troubledBy(@Nullable StartProblem now) {
    return new Attempt(start, now == null ? null : standing(now), written, removal, liveLook);
  }

  Attempt wrote(WrittenStatus status) {
    return new Attempt(start, trouble, status, removal, liveLook);
  }

  /** The pod as it was read live, while that stands. */
  @Nullable PodView podSeenLive(Instant now) {
    return liveLook != null && liveLook.stands(now) ? liveLook.pod() : null;
  }

  /** The pod was read live, or is in the cache again: null. */
  Attempt looked(@Nullable LivePodRead look) {
    return new Attempt(start, trouble, written, removal, look);
  }

  /** A removal that told nothing: again after 2 s, doubling to 60 s. */
  Attempt removalFailed(Instant now) {
    var wait = removalWait(removal.failures(), Duration.ofSeconds(60));
    return with(
        RemovalState.waiting(
            removal.failures() + 1, now.plus(wait), removal.connectionLostSince()));
  }

  /**
   * When the removal may be asked for again of a runner that nobody waits for: the wait doubles on
   * to 4 min, within which a warning is counted on the one before. Null when nothing failed.
   */
  @Nullable Instant patientRemovalNotBefore() {
    int failures = removal.failures();
    if (failures == 0 || removal.notBefore() == null) {
      return null;
    }
    var failedAt = removal.notBefore().minus(removalWait(failures - 1, Duration.ofSeconds(60)));
    return failedAt.plus(removalWait(failures - 1, Duration.ofMinutes(4)));
  }

  private static Duration removalWait(int failuresBefore, Duration most) {
    return BackOff.after(failuresBefore, Duration.ofSeconds(2), most);
  }

  /** There are no credentials at {@code now}; null if it is not for want of them. */
  Attempt connectionLost(@Nullable Instant now) {
    var since = removal.connectionLostSince() == null ? now : removal.connectionLostSince();
    return with(
        RemovalState.waiting(removal.failures(), removal.notBefore(), now == null ? null : since));
  }

  /** A removal that was answered; the next may be asked for at {@code again}. */
  Attempt removalAnswered(Instant again) {
    return with(RemovalState.waiting(0, again, null));
  }

  /** The removal is done. */
  Attempt removed(Instant now, boolean byUs) {
    return with(new RemovalState(0, now, null, true, byUs));
  }

  private Attempt with(RemovalState next) {
    return new Attempt(start, trouble, written, next, liveLook);
  }

  private StartProblem standing(StartProblem now) {
    return trouble == null ? now : now.standingSince(trouble);
  }
}
