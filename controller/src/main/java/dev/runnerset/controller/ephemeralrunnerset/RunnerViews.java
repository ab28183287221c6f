package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.retention.rules.Outcome;
import dev.runnerset.controller.retention.rules.RetentionRules;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes views of runners from their resources and from the memory of this process. */
final class RunnerViews {
  private RunnerViews() {}

  /** A view of a runner of the present revision, of a set without retention rules. */
  static RunnerView of(EphemeralRunner runner, Optional<RunnerExit> exit, SetMemory memory) {
    var job = runner.statusOrNone().job();
    return of(runner, exit, memory, job == null ? null : job.completedIn(), false, false, null);
  }

  /**
   * The view of a runner.
   *
   * @param completedIn the message that told of the end of its job, in the ids of the set
   * @param older whether it is not what its set would make now
   * @param ofAnotherScaleSet whether it is registered for another scale set than its set has
   * @param live the set's rules for finished runners as they are now
   */
  static RunnerView of(
      EphemeralRunner runner,
      Optional<RunnerExit> exit,
      SetMemory memory,
      @Nullable Long completedIn,
      boolean older,
      boolean ofAnotherScaleSet,
      @Nullable Retention live) {
    var meta = runner.getMetadata();
    var status = runner.statusOrNone();
    var created = Instant.parse(meta.getCreationTimestamp());
    var uid = meta.getUid();
    var kept =
        RetentionRules.keeps(
            runner,
            Outcome.expected(runner, exit.map(RunnerExit::exitCode).orElse(null), live),
            live);
    return new RunnerView(
        meta.getName(),
        uid,
        new RunnerView.Life(
            status.phase() == null ? RunnerPhase.PENDING : status.phase(),
            created,
            status.podName() != null || status.idleSince() != null,
            status.idleSince(),
            endedAt(status, exit, created),
            status.idleSince() != null, // by itself; RegisteredRunners asks the service's counts
            kept),
        new RunnerView.Job(status.isBusy(), completedIn, memory.completionSeenAt(uid)),
        memory
            .removals()
            .view(
                uid,
                meta.getDeletionTimestamp() != null,
                status.removal() == null ? null : status.removal().busySuspectUntil()),
        new RunnerView.Origin(older, ofAnotherScaleSet));
  }

  /**
   * Whether the set would make another runner now: of another revision, or for another scale set,
   * as after somebody deleted the former scale set at the service.
   */
  static boolean isOlder(EphemeralRunnerSpec runner, EphemeralRunnerSetSpec set) {
    return !set.revision().equals(runner.revision()) || isOfAnotherScaleSet(runner, set);
  }

  /** Whether a runner is registered for another scale set than its set has now. */
  static boolean isOfAnotherScaleSet(EphemeralRunnerSpec runner, EphemeralRunnerSetSpec set) {
    return !Objects.equals(set.runnerScaleSetId(), runner.runnerScaleSetId());
  }

  private static @Nullable Instant endedAt(
      EphemeralRunnerStatus status, Optional<RunnerExit> exit, Instant created) {
    if (exit.isPresent()) {
      return exit.get().at();
    }
    if (!status.isTerminal()) {
      return null;
    }
    return status.completionTime() == null ? created : status.completionTime();
  }
}
