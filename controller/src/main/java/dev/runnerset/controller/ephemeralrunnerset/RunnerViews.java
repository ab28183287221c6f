package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.controller.hooks.NodesToLeave;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes views of runners from their resources and from the memory of this process. */
final class RunnerViews {
  private RunnerViews() {}

  /**
   * The view of a runner; whether one without a job is registered, all of the set tell together.
   *
   * @param exit the end of its container, if that was seen
   * @param before its last view; null for none
   * @param set what its set wants now
   * @param ofSet the same for the view
   */
  static RunnerView of(
      EphemeralRunner runner,
      Optional<RunnerExit> exit,
      RemovalMemory removals,
      @Nullable RunnerView before,
      EphemeralRunnerSetSpec set,
      RunnerView.OfSet ofSet,
      NodesToLeave nodes,
      Instant now) {
    var meta = runner.getMetadata();
    var status = runner.statusOrNone();
    var created = Instant.parse(meta.getCreationTimestamp());
    var uid = meta.getUid();
    var live = set.retention();
    var exitCode = exit.map(RunnerExit::exitCode).orElse(null);
    return new RunnerView(
        meta.getName(),
        uid,
        status.phase() == null ? RunnerPhase.PENDING : status.phase(),
        created,
        status.podName() != null || status.idleSince() != null,
        status.idleSince(),
        endedAt(status, exit, created),
        status.isBusy() ? status.idleSince() != null : before != null && before.registered(),
        before == null ? null : before.registeredAt(),
        RetentionRules.keeps(runner, RunnerOutcome.expected(runner, exitCode, live), live),
        RetentionRules.isRetained(runner),
        Meta.isMarked(runner, Labels.RETIRE),
        status.isBusy(),
        CompletedIn.of(runner, set),
        completionSeenAt(status, before, now),
        meta.getDeletionTimestamp() != null,
        removals.of(uid, status.removal() == null ? null : status.removal().busySuspectUntil()),
        isOlder(runner.getSpec(), set),
        isOfAnotherScaleSet(runner.getSpec(), set),
        nodes.since(status.nodeName(), created),
        runner,
        ofSet);
  }

  private static @Nullable Instant completionSeenAt(
      EphemeralRunnerStatus status, @Nullable RunnerView before, Instant now) {
    if (status.job() == null || status.job().completedIn() == null) {
      return null;
    }
    var seenAt = before == null ? null : before.completionSeenAt();
    return seenAt == null ? now : seenAt;
  }

  /**
   * Whether the set would make another runner now: of another revision, or for another scale set,
   * as after somebody deleted the former scale set at the service.
   */
  private static boolean isOlder(EphemeralRunnerSpec runner, EphemeralRunnerSetSpec set) {
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
