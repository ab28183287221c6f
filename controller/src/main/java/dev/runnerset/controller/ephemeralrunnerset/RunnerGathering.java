package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.controller.hooks.NodesToLeave;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.RunnersOfSet.Change;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what is known of a set and its runners, for {@link ReplicasPlanner}.
 *
 * @param protectionWindow how long a runner that just became idle is spared (SD2)
 */
record RunnerGathering(RunnerExits exits, NodesToLeave nodes, Duration protectionWindow) {
  private static final Group OUTDATED = Group.of(r -> r.phase() == RunnerPhase.OUTDATED);

  /**
   * A set with its own runners; what is new of them is remembered.
   *
   * @param changed the runners with the label of the set that came or changed since the last call,
   *     its own or not, by name; empty for one that went
   * @param counts the latest that the service counted; null for nothing
   * @param delivered as {@link SetMoment} says
   */
  SetMoment observe(
      EphemeralRunnerSet set,
      Map<String, Optional<EphemeralRunner>> changed,
      @Nullable ServiceCounts counts,
      long delivered,
      SetMemory memory,
      Instant now) {
    boolean first = memory.runners().isUnseen();
    var runners = memory.runners().all();
    var own = new LinkedHashMap<>(changed);
    own.replaceAll((name, runner) -> runner.filter(one -> Ownership.isOf(one, set)));
    var spec = set.getSpec();
    var ofSet = ofSet(set);
    memory
        .runners()
        .update(
            new GatheredRunners.Basis(
                spec.revision(), spec.runnerScaleSetId(), spec.retention(), ofSet, nodes.version()),
            own,
            memory.removals(),
            (runner, before) -> view(set, ofSet, runner, before, memory, now),
            now);
    var seen = memory.audit().get().seen();
    int removed = counts == null ? 0 : memory.removals().countRemovedSince(counts.observedAt());
    memory.runners().registered().update(runners, counts, removed, seen::missedFor, now);
    seen.observe(runners.changes(), now);
    memory.audit().updateAndGet(state -> state.observed(runners, counts, now));
    learn(memory, runners.changes(), first);
    memory.runners().learned();
    var demand = set.statusOrNone().demand();
    return new SetMoment(
        set,
        runners,
        counts != null,
        memory.creation().backoff(),
        isHeld(set, runners, memory),
        memory.slots().get(ReplicasPass.SURPLUS_SINCE).orElse(null),
        memory.removals().free(now),
        memory.removals().freeAt(now),
        memory.removals().removedSince(demand == null ? null : demand.observedAt()),
        delivered,
        memory.slots(),
        new Now(now));
  }

  /**
   * The view of one runner of the set; whether one without a job is registered, all of them tell
   * together.
   */
  RunnerView view(EphemeralRunnerSet set, EphemeralRunner runner, SetMemory memory, Instant now) {
    return view(set, ofSet(set), runner, null, memory, now);
  }

  private RunnerView view(
      EphemeralRunnerSet set,
      RunnerView.OfSet ofSet,
      EphemeralRunner runner,
      @Nullable RunnerView before,
      SetMemory memory,
      Instant now) {
    var meta = runner.getMetadata();
    var status = runner.statusOrNone();
    var created = Instant.parse(meta.getCreationTimestamp());
    var uid = meta.getUid();
    var spec = set.getSpec();
    var live = spec.retention();
    var exit = exits.of(uid);
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
        CompletedIn.of(runner, spec),
        completionSeenAt(status, before, now),
        meta.getDeletionTimestamp() != null,
        memory
            .removals()
            .of(uid, status.removal() == null ? null : status.removal().busySuspectUntil()),
        isOlder(runner.getSpec(), spec),
        isOfAnotherScaleSet(runner.getSpec(), spec),
        nodes.of(status.nodeName(), created),
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
  private static boolean isOfAnotherScaleSet(
      EphemeralRunnerSpec runner, EphemeralRunnerSetSpec set) {
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

  private RunnerView.OfSet ofSet(EphemeralRunnerSet set) {
    var demand = set.knownDemand();
    boolean isJobOnItsWay =
        demand != null && set.assigned() > Objects.requireNonNullElse(demand.running(), 0);
    return new RunnerView.OfSet(
        set.settledUpTo(),
        DesiredRunners.of(set) > 0,
        isJobOnItsWay ? protectionWindow : Duration.ZERO);
  }

  /**
   * Learns how starts end. What ended before this process began is neither a new failure, nor one
   * of a revision that returns; and an earlier process counted its jobs.
   */
  static void learn(SetMemory memory, List<Change> changes, boolean first) {
    for (var change : changes) {
      var view = change.after();
      if (view == null || view.older()) {
        continue; // it tells nothing of the revision that is made now
      }
      boolean counted = memory.creation().isRestored() && (view.busy() || view.isEnded());
      boolean known = first && (counted || (view.kept() && view.isEnded()));
      if (change.begins(RunnerView::podMade)) {
        memory.creation().started();
      }
      if (!known && change.begins(RunnerView::busy)) {
        memory.creation().gotJob();
      }
      if (!known && change.begins(RunnerGathering::isFailedStart)) {
        failed(memory, view);
      }
    }
  }

  private static boolean isFailedStart(RunnerView view) {
    return view.phase() == RunnerPhase.FAILED
        && !view.busy()
        && view.endedAt() != null
        && FailedStart.is(view, view.resource().statusOrNone().failure());
  }

  private static void failed(SetMemory memory, RunnerView view) {
    var failure = view.resource().statusOrNone().failure();
    var message =
        failure == null
            ? "a runner failed"
            : view.name() + ": " + failure.reason() + ": " + failure.message();
    var at = Objects.requireNonNull(view.endedAt());
    memory.creation().failed(at, message, FailedStart.isLoss(failure));
  }

  /**
   * Whether no runner may be made: the set is being deleted, its session is somebody else's (NM6),
   * or the service refused the version of its revision and neither a new revision came nor were no
   * runners wanted since (RN9). The refused runner itself may be cleaned up meanwhile.
   */
  private static boolean isHeld(EphemeralRunnerSet set, RunnersOfSet runners, SetMemory memory) {
    var revision = set.getSpec().revision();
    if (DesiredRunners.of(set) == 0) {
      memory.creation().rejectedRevision(null);
    } else if (runners
        .in(OUTDATED)
        .anyMatch(r -> revision.equals(r.resource().getSpec().revision()))) {
      memory.creation().rejectedRevision(revision);
    }
    return set.isMarkedForDeletion()
        || Boolean.TRUE.equals(set.getSpec().creationHeld())
        || Boolean.TRUE.equals(set.getSpec().templateRefused())
        || revision.equals(memory.creation().rejectedRevision());
  }
}
