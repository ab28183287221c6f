package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a decision about one runner sees, from one moment.
 *
 * @param pod the runner's own pod as the cache or a live read shows it; null for none
 * @param set the EphemeralRunnerSet that has the runner's template, as the cache shows it
 * @param memory what this process knows beside the caches
 * @param knownExit how the container ended, as this process saw it before
 * @param removed whether the remover knows that the registration of an id is gone
 */
public record ObservedRunner(
    EphemeralRunner runner,
    @Nullable PodView pod,
    @Nullable EphemeralRunnerSet set,
    RunnerMemory memory,
    @Nullable RunnerExit knownExit,
    LongPredicate removed,
    Instant now) {

  /** The same with what this process knows by now. */
  public ObservedRunner with(RunnerMemory known) {
    return new ObservedRunner(runner, pod, set, known, knownExit, removed, now);
  }

  /** The same with the pod as a live read shows it. */
  public ObservedRunner with(PodView live) {
    return new ObservedRunner(runner, live, set, memory, knownExit, removed, now);
  }

  /** When the pod must be read again because the cache does not show it. */
  public RequeueTime livePodUntil() {
    var live = memory.livePod();
    return live != null && live.isValid(now) ? RequeueTime.at(live.until()) : RequeueTime.NEVER;
  }

  /** The status as the cache shows it; for the fields of the listener and the remover. */
  public EphemeralRunnerStatus observedStatus() {
    return runner.statusOrNone();
  }

  /** Our part of the status: as this process sent it, since the cache may be behind. */
  public EphemeralRunnerStatus ownStatus() {
    var written = memory.written();
    return written != null ? written.status() : WrittenStatus.ownPartOf(observedStatus());
  }

  /** Whether somebody wiped what this process wrote, so that it must be written again. */
  public boolean isWiped() {
    var written = memory.written();
    return written != null && written.isWipedFrom(runner);
  }

  /**
   * Whether the runner is idle and its status does not say since when: somebody cleared the field,
   * or an older version never wrote it (AC4).
   */
  boolean isAgeUnknown() {
    var status = observedStatus();
    return status.phase() == RunnerPhase.RUNNING && status.idleSince() == null && !status.isBusy();
  }

  /** How the container ended; null while it runs or nothing is known. */
  public @Nullable RunnerExit seenExit() {
    if (pod == null || !(pod.runner() instanceof PodView.RunnerContainer.Terminated ended)) {
      return knownExit;
    }
    var seen = RunnerExit.seen(knownExit, ended.exitCode(), ended.finishedAt(), now);
    // a deletion of the pod after the exit was seen says nothing about the exit
    boolean deleted = knownExit == null ? pod.isTakenAway() : knownExit.podDeleted();
    return new RunnerExit(seen.at(), seen.exitCode(), deleted);
  }

  /** Whether its container has ended: that was seen, or its pod has ended or is gone. */
  boolean hasEnded() {
    return seenExit() != null || isPodGone();
  }

  /** Whether a pod was made that has ended or is gone. */
  boolean isPodGone() {
    return pod == null ? podWasMade() : pod.isOver();
  }

  /** Whether the service said that the runner's job is over. */
  public boolean isJobCompleted() {
    return observedStatus().isJobCompleted();
  }

  /** Whether a message named a job of the runner, and none said that it is over. */
  public boolean mayHaveJob() {
    return observedStatus().isBusy() && !isJobCompleted();
  }

  /** Whether a message said that the runner has or had a job. */
  public boolean hadJob() {
    return observedStatus().isBusy() || isJobCompleted();
  }

  /** Whether a pod was made: the status names it, this process made it, or its job has begun. */
  boolean podWasMade() {
    return ownStatus().podName() != null
        || memory.start().stage() == StartState.Stage.MADE
        || hadJob();
  }

  /** Whether a pod may be there that the cache does not show: not before the start begins. */
  boolean mayHavePod() {
    return podWasMade() || memory.start().stage() != StartState.Stage.NEW;
  }

  /** Whether a user made the runner, with a template of its own. */
  public boolean isStandalone() {
    return runner.getSpec().template() != null;
  }

  /** The set's present rules for finished runners; null where there are none. */
  @Nullable Retention retention() {
    return set == null || isStandalone() ? null : set.getSpec().retention();
  }

  /**
   * Whether the runner is kept with that terminal status: a retention rule applies to it, or it
   * proves that the service refused its version. Any other is deleted by its set as soon as its job
   * is released, and its good end is not written (RN14).
   */
  public boolean isKeptWith(EphemeralRunnerStatus end) {
    return end.phase() == RunnerPhase.OUTDATED
        || RunnerOutcome.of(end)
            .filter(outcome -> RetentionRules.keeps(runner, outcome, retention()))
            .isPresent();
  }

  /** The status with which the runner ends, with what keeps it (RT13); any other as it is. */
  public EphemeralRunnerStatus withWhatKeepsIt(EphemeralRunnerStatus status) {
    if (!status.isTerminal() || ownStatus().isTerminal() || isStandalone()) {
      return status;
    }
    var keptBy =
        RunnerOutcome.of(status)
            .flatMap(outcome -> RetentionRules.keptBy(runner, outcome, retention()))
            .orElse(null);
    return status.toBuilder().keptBy(keptBy).build();
  }

  /**
   * The id of its registration, from wherever it is known; from the pod's annotation last, since
   * others can write it.
   */
  public @Nullable Long runnerId() {
    if (ownStatus().runnerId() != null) {
      return ownStatus().runnerId();
    }
    var started = memory.start().runnerId();
    return started != null || pod == null ? started : pod.runnerId();
  }

  /**
   * The runner with the known id of its registration in its status, so that the remover need not
   * search it; the runner itself if the id is not known or already there.
   */
  public EphemeralRunner runnerWithId() {
    var id = runnerId();
    if (id == null || Objects.equals(observedStatus().runnerId(), id)) {
      return runner;
    }
    var copy = new EphemeralRunner();
    copy.setMetadata(runner.getMetadata());
    copy.setSpec(runner.getSpec());
    copy.setStatus(observedStatus().toBuilder().runnerId(id).build());
    return copy;
  }

  /** Whether the service has nothing of the runner; an answer about one id holds for no other. */
  boolean isRegistrationGone() {
    var id = runnerId();
    return memory.removal().nothingLeft()
        || (id != null && removed.test(id) && !isRegistrationInDoubt());
  }

  /** When the service may be asked again to remove the registration. */
  Instant nextRemovalAt() {
    return memory.removal().nextRequestAt(observedStatus(), hasEnded(), isJobCompleted());
  }

  /**
   * Whether the service still had the registration when it was asked after the runner's end. A
   * completed job takes the registration along (protocol 7.3), so such a runner had no job.
   */
  boolean leftItsRegistration() {
    return memory.removal().removedByUs();
  }

  /**
   * Whether the service may have a registration of the runner's name with an unknown id: the start
   * ended without a known outcome, an earlier process began it and made no pod, or the pod names
   * another registration.
   */
  public boolean isRegistrationInDoubt() {
    if (pod != null) {
      return pod.registrationMismatch(runnerId()) != null;
    }
    return ownStatus().podName() == null
        && switch (memory.start().stage()) {
          case UNSEEN, PERHAPS_REGISTERED, UNCERTAIN -> true;
          case NEW, REGISTERED, PREPARED, MADE, PARKED -> false;
        };
  }
}
