package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.RegisteredRunners;
import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.hooks.NodesToLeave;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers what is known of a set and its runners, for {@link ReplicasPlanner}. */
final class RunnerGathering {
  private final RunnerExits exits;
  private final NodesToLeave nodes;
  private final Duration protectionWindow;

  /**
   * A gathering for all sets.
   *
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   */
  RunnerGathering(RunnerExits exits, NodesToLeave nodes, Duration protectionWindow) {
    this.exits = exits;
    this.nodes = nodes;
    this.protectionWindow = protectionWindow;
  }

  /** The same where no node is ever cordoned. */
  RunnerGathering(RunnerExits exits, Duration protectionWindow) {
    this(exits, (node, created) -> null, protectionWindow);
  }

  /**
   * A set with its own runners among those with its label; what is new of them is remembered.
   *
   * @param counts the latest that the service counted; null for nothing
   * @param delivered as {@link SetMoment} says
   */
  SetMoment observe(
      EphemeralRunnerSet set,
      Set<EphemeralRunner> labelled,
      @Nullable ServiceCounts counts,
      long delivered,
      SetMemory memory,
      Instant now) {
    var runnerByUid = new HashMap<String, EphemeralRunner>();
    for (var runner : labelled) {
      if (Ownership.isOf(runner, set)) {
        runnerByUid.put(runner.getMetadata().getUid(), runner);
      }
    }
    memory.retain(runnerByUid.keySet());
    runnerByUid.forEach((uid, runner) -> {
      if (isCompleted(runner)) {
        memory.completionSeen(uid, now);
      }
    });
    var views = views(set, runnerByUid.values(), counts, memory);
    var registrations = registrations(set, runnerByUid.values());
    memory.audit().updateAndGet(state -> state.observed(registrations, views, counts, now));
    learn(memory, views);
    var demand = set.statusOrNone().demand();
    return new SetMoment(
        set,
        RunnersOfSet.of(views, now),
        counts != null,
        memory.creation().backoff(),
        isHeld(set, runnerByUid.values(), memory),
        memory.surplusSince(),
        memory.removals().free(now),
        memory.removals().freeAt(now),
        memory.removals().removedSince(demand == null ? null : demand.observedAt()),
        delivered,
        memory.slots(),
        new Now(now));
  }

  /** Whether each runner may have a registration with the scale set of its set, by name. */
  private static Map<String, Boolean> registrations(
      EphemeralRunnerSet set, Collection<EphemeralRunner> runners) {
    var mayBeRegistered = new HashMap<String, Boolean>();
    for (var runner : runners) {
      boolean may =
          !RunnerStatuses.isDeregistered(runner.statusOrNone())
              && !RunnerViews.isOfAnotherScaleSet(runner.getSpec(), set.getSpec());
      mayBeRegistered.put(runner.getMetadata().getName(), may);
    }
    return mayBeRegistered;
  }

  private static boolean isCompleted(EphemeralRunner runner) {
    var job = runner.statusOrNone().job();
    return job != null && job.completedIn() != null;
  }

  /** The views of runners of the set in their order, each known to be registered or not (RN7). */
  private List<RunnerView> views(
      EphemeralRunnerSet set,
      Collection<EphemeralRunner> runners,
      @Nullable ServiceCounts counts,
      SetMemory memory) {
    return RegisteredRunners.of(
        runners.stream().map(runner -> view(set, runner, memory)).toList(),
        counts,
        counts == null ? 0 : memory.removals().countRemovedSince(counts.observedAt()),
        counts == null ? Map.of() : memory.audit().get().missing().missedFor(counts.observedAt()));
  }

  /** The view of one runner of the set; whether it is registered, all of them tell together. */
  RunnerView view(EphemeralRunnerSet set, EphemeralRunner runner, SetMemory memory) {
    return RunnerViews.of(
        runner, exits.of(runner.getMetadata().getUid()), memory, set.getSpec(), ofSet(set), nodes);
  }

  private RunnerView.OfSet ofSet(EphemeralRunnerSet set) {
    var spec = set.getSpec();
    var demand = set.statusOrNone().demand();
    boolean isJobOnItsWay =
        demand != null
            && demand.assigned() != null
            && demand.assigned() > Objects.requireNonNullElse(demand.running(), 0);
    return new RunnerView.OfSet(
        Objects.requireNonNullElse(spec.demandMessageId(), 0L),
        !Integer.valueOf(0).equals(Objects.requireNonNullElse(spec.replicas(), 0)),
        isJobOnItsWay ? protectionWindow : Duration.ZERO);
  }

  static void learn(SetMemory memory, List<RunnerView> views) {
    boolean first = memory.creation().isFirstObservation();
    for (var view : views) {
      boolean counted = memory.creation().isRestored() && (view.busy() || view.isEnded());
      if (first && (counted || (view.kept() && view.isEnded()))) {
        // it ended before this process began: neither a new failure, nor one of a revision that
        // returns; and an earlier process counted its job
        memory.creation().ignore(view.uid());
      }
      if (view.older()) {
        continue; // it tells nothing of the revision that is made now
      }
      if (view.podMade()) {
        memory.creation().started(view.uid());
      }
      if (view.busy()) {
        memory.creation().gotJob(view.uid());
      } else if (view.phase() == RunnerPhase.FAILED && view.endedAt() != null) {
        failed(memory, view);
      }
    }
  }

  private static void failed(SetMemory memory, RunnerView view) {
    var failure = view.resource().statusOrNone().failure();
    if (FailedStart.is(view, failure)) {
      var message =
          failure == null
              ? "a runner failed"
              : view.name() + ": " + failure.reason() + ": " + failure.message();
      memory
          .creation()
          .failed(
              view.uid(),
              Objects.requireNonNull(view.endedAt()),
              message,
              FailedStart.isLoss(failure));
    }
  }

  /**
   * Whether no runner may be made: the set is being deleted, its session is somebody else's (NM6),
   * or the service refused the version of its revision and neither a new revision came nor were no
   * runners wanted since (RN9). The refused runner itself may be cleaned up meanwhile.
   */
  private static boolean isHeld(
      EphemeralRunnerSet set, Collection<EphemeralRunner> runners, SetMemory memory) {
    var revision = set.getSpec().revision();
    if (set.getSpec().replicas() == null || set.getSpec().replicas() == 0) {
      memory.creation().rejectedRevision(null);
    } else if (runners.stream()
        .filter(r -> revision.equals(r.getSpec().revision()))
        .anyMatch(r -> r.statusOrNone().phase() == RunnerPhase.OUTDATED)) {
      memory.creation().rejectedRevision(revision);
    }
    return set.getMetadata().getDeletionTimestamp() != null
        || Boolean.TRUE.equals(set.getSpec().creationHeld())
        || Boolean.TRUE.equals(set.getSpec().templateRefused())
        || revision.equals(memory.creation().rejectedRevision());
  }
}
