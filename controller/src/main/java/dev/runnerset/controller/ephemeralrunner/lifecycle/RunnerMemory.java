package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.actions.JitConfigResult.Registered;
import dev.runnerset.base.Backoff;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState.Stage;
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
public record RunnerMemory(
    StartState start,
    @Nullable StartProblem trouble,
    @Nullable WrittenStatus written,
    RemovalState removal,
    @Nullable LivePodRead liveLook) {
  private static final Backoff START = Backoff.of(Duration.ofSeconds(5), Duration.ofSeconds(60));
  private static final Backoff REMOVAL = Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(60));
  private static final Backoff PATIENT_REMOVAL =
      Backoff.of(Duration.ofSeconds(2), Duration.ofMinutes(4));

  /** Nothing known. */
  public static final RunnerMemory NONE =
      new RunnerMemory(StartState.at(Stage.UNSEEN), null, null, RemovalState.NONE, null);

  /** Of a runner that this process makes: nobody has begun its start. */
  public static final RunnerMemory NEW =
      new RunnerMemory(StartState.at(Stage.NEW), null, null, RemovalState.NONE, null);

  /**
   * What the removal of a registration came to.
   *
   * @param failures in a row
   * @param notBefore when it may be asked for again
   * @param connectionLostSince since when there have been no credentials for it
   * @param nothingLeft whether nothing of the runner is at the service; it never starts again
   * @param byUs whether a request of ours removed it: the service had it until then
   */
  public record RemovalState(
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

  public Stage stage() {
    return start.stage();
  }

  public @Nullable Long runnerId() {
    return start.runnerId();
  }

  public @Nullable Instant podMadeAt() {
    return start.podMadeAt();
  }

  public @Nullable Instant notBefore() {
    return start.notBefore();
  }

  public @Nullable Instant removalNotBefore() {
    return removal.notBefore();
  }

  public @Nullable Instant connectionLostSince() {
    return removal.connectionLostSince();
  }

  public RunnerMemory made(@Nullable Long id, Instant at) {
    return new RunnerMemory(
        new StartState(Stage.MADE, id, null, at, 0, null),
        null,
        written,
        RemovalState.NONE,
        liveLook);
  }

  /** The secret could not be made for the time being. */
  public RunnerMemory registered(Registered fresh) {
    return with(start.registered(fresh));
  }

  /** The secret is made, the pod could not be made for the time being. */
  public RunnerMemory prepared(long id) {
    return with(start.with(Stage.PREPARED, id));
  }

  /** Nothing is made yet at the API server, as it said for certain. */
  public RunnerMemory unmade() {
    return with(start.with(Stage.NEW, null));
  }

  public RunnerMemory parked(@Nullable Long id) {
    return with(start.with(Stage.PARKED, id == null ? runnerId() : id));
  }

  /** The outcome of the last try is not known: there is no other one. */
  public RunnerMemory uncertain(@Nullable Long id) {
    return with(start.uncertain(id));
  }

  /** The start as it was before a try that changed nothing. */
  public RunnerMemory startedAs(StartState before) {
    return with(before);
  }

  private RunnerMemory with(StartState next) {
    return new RunnerMemory(next, trouble, written, removal, liveLook);
  }

  /** A start that failed for a known reason: again after 5 s, doubling to 60 s. */
  public RunnerMemory failed(StartProblem now) {
    var wait = START.after(start.failures() + 1);
    return new RunnerMemory(
        start.failed(now.since().plus(wait)), standing(now), written, removal, liveLook);
  }

  /** What the pod waits for now, or null. */
  public RunnerMemory troubledBy(@Nullable StartProblem now) {
    return new RunnerMemory(start, now == null ? null : standing(now), written, removal, liveLook);
  }

  public RunnerMemory wrote(WrittenStatus status) {
    return new RunnerMemory(start, trouble, status, removal, liveLook);
  }

  /** The pod as it was read live, while that stands. */
  public @Nullable PodView podSeenLive(Instant now) {
    return liveLook != null && liveLook.stands(now) ? liveLook.pod() : null;
  }

  /** The pod was read live, or is in the cache again: null. */
  public RunnerMemory looked(@Nullable LivePodRead look) {
    return new RunnerMemory(start, trouble, written, removal, look);
  }

  /** A removal that told nothing: again after 2 s, doubling to 60 s. */
  public RunnerMemory removalFailed(Instant now) {
    var wait = REMOVAL.after(removal.failures() + 1);
    return with(
        RemovalState.waiting(
            removal.failures() + 1, now.plus(wait), removal.connectionLostSince()));
  }

  /**
   * When the removal may be asked for again of a runner that nobody waits for: the wait doubles on
   * to 4 min, within which a warning is counted on the one before. Null when nothing failed.
   */
  public @Nullable Instant patientRemovalNotBefore() {
    int failures = removal.failures();
    if (failures == 0 || removal.notBefore() == null) {
      return null;
    }
    var failedAt = removal.notBefore().minus(REMOVAL.after(failures));
    return failedAt.plus(PATIENT_REMOVAL.after(failures));
  }

  /** There are no credentials at {@code now}; null if it is not for want of them. */
  public RunnerMemory connectionLost(@Nullable Instant now) {
    var since = removal.connectionLostSince() == null ? now : removal.connectionLostSince();
    return with(
        RemovalState.waiting(removal.failures(), removal.notBefore(), now == null ? null : since));
  }

  /** A removal that was answered; the next may be asked for at {@code again}. */
  public RunnerMemory removalAnswered(Instant again) {
    return with(RemovalState.waiting(0, again, null));
  }

  /** The removal is done. */
  public RunnerMemory removed(Instant now, boolean byUs) {
    return with(new RemovalState(0, now, null, true, byUs));
  }

  private RunnerMemory with(RemovalState next) {
    return new RunnerMemory(start, trouble, written, next, liveLook);
  }

  private StartProblem standing(StartProblem now) {
    return trouble == null ? now : now.standingSince(trouble);
  }
}
