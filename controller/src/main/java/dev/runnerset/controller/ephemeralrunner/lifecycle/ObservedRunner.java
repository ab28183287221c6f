package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.retention.Outcome;
import dev.runnerset.controller.retention.RetentionRules;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything a decision about one runner looks at.
 *
 * @param pod as the cache has it, and only if it is this runner's
 * @param set that bears the runner's template, as the cache has it
 * @param knownExit the container's end as it was seen before
 * @param removed which of its registrations the remover knows to be gone, by their ids
 */
public record ObservedRunner(
    EphemeralRunner runner,
    @Nullable PodView pod,
    @Nullable EphemeralRunnerSet set,
    RunnerMemory attempt,
    @Nullable RunnerExit knownExit,
    LongPredicate removed,
    Instant now) {

  /** The same with what this process knows by now. */
  public ObservedRunner with(RunnerMemory known) {
    return new ObservedRunner(runner, pod, set, known, knownExit, removed, now);
  }

  /** The same with the pod as it is read live. */
  public ObservedRunner with(PodView live) {
    return new ObservedRunner(runner, live, set, attempt, knownExit, removed, now);
  }

  /** When the pod is to be read again because the cache does not show it, or null. */
  public @Nullable Instant podSeenUntil() {
    var look = attempt.liveLook();
    return look != null && look.stands(now) ? look.until() : null;
  }

  /** The status as the cache has it; for the fields of the listener and the remover. */
  public EphemeralRunnerStatus observedStatus() {
    return runner.getStatus() == null ? EphemeralRunnerStatus.NONE : runner.getStatus();
  }

  /** Our part of the status: as we sent it, where the cache may be behind. */
  public EphemeralRunnerStatus ownStatus() {
    var written = attempt.written();
    return written != null ? written.status() : RunnerStatuses.ourPartOf(observedStatus());
  }

  /** Whether somebody wiped from the status what this process wrote: it is to be written again. */
  public boolean isWiped() {
    var written = attempt.written();
    return written != null && written.isWipedFrom(runner);
  }

  /**
   * Whether it is idle and its status does not say since when: somebody cleared it, or an older
   * version never wrote it (AC4).
   */
  public boolean isAgeUnknown() {
    var heard = observedStatus();
    return heard.phase() == RunnerPhase.RUNNING && heard.idleSince() == null && !heard.isBusy();
  }

  /** Whether the service said that its job is over. */
  public boolean isJobCompleted() {
    var job = observedStatus().job();
    return job != null && job.completedIn() != null;
  }

  /** Whether it ever had a job, as far as is heard. */
  public boolean hadJob() {
    return observedStatus().isBusy() || isJobCompleted();
  }

  /** Whether a pod was made: the status names it, we made it, or its job has begun. */
  public boolean podWasMade() {
    return ownStatus().podName() != null || attempt.stage() == StartState.Stage.MADE || hadJob();
  }

  /** Whether a user made it, with a template of its own. */
  public boolean isStandalone() {
    return runner.getSpec().template() != null;
  }

  /** The set's rules for finished runners as they are now; null where there are none. */
  public @Nullable Retention retention() {
    return set == null || isStandalone() ? null : set.getSpec().retention();
  }

  /**
   * Whether it stays with that end as its status: a rule of retention holds for it, or it is the
   * proof of a refused version. Any other is deleted by its set as soon as it is released, and the
   * write of a good end is spared (RN14).
   */
  public boolean staysAs(EphemeralRunnerStatus end) {
    return end.phase() == RunnerPhase.OUTDATED
        || Outcome.of(end)
            .filter(outcome -> RetentionRules.keeps(runner, outcome, retention()))
            .isPresent();
  }

  /**
   * The id of its registration, wherever it is known from; the pod's annotation comes last, since
   * others can write it.
   */
  public @Nullable Long runnerId() {
    if (ownStatus().runnerId() != null) {
      return ownStatus().runnerId();
    }
    return attempt.runnerId() != null || pod == null ? attempt.runnerId() : pod.runnerId();
  }

  /** Whether nothing is left of it at the service; an answer about one id is none of another. */
  public boolean registrationGone() {
    var id = runnerId();
    return attempt.removal().nothingLeft()
        || (id != null && removed.test(id) && !isRegistrationInDoubt());
  }

  /**
   * Whether the service still had its registration when it was asked after the runner's end. A job
   * that is over takes the registration along (protocol 7.3), so that runner had no job.
   */
  public boolean leftItsRegistration() {
    return attempt.removal().byUs();
  }

  /**
   * Whether there may be a registration of its name that nothing known of the runner tells: its
   * start ended without a known outcome, an earlier process began it and no pod came of it, or its
   * pod says that it runs another one.
   */
  public boolean isRegistrationInDoubt() {
    if (pod != null) {
      return RegistrationMismatch.between(pod, runnerId()) != null;
    }
    return ownStatus().podName() == null
        && switch (attempt.stage()) {
          case UNSEEN, UNCERTAIN -> true;
          case NEW, REGISTERED, PREPARED, MADE, PARKED -> false;
        };
  }
}
