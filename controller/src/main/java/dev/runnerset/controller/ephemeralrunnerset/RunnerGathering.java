package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.audit.RegisteredRunners;
import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.gc.IdleAgePlanner;
import dev.runnerset.controller.nodes.CordonedNodes;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.scaling.ReplicasTarget;
import dev.runnerset.crds.Demand;
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
  /**
   * The runners of one set at one moment.
   *
   * @param byUid the resources of the cache, which must not be changed
   * @param views one for each resource, in no particular order
   * @param counts the latest that the service counted; null for nothing
   */
  @Pure
  record Observed(
      Map<String, EphemeralRunner> byUid, List<RunnerView> views, @Nullable ServiceCounts counts) {
    Observed {
      byUid = Map.copyOf(byUid);
      views = List.copyOf(views);
    }
  }

  private final RunnerExits exits;
  private final CordonedNodes cordons;
  private final Duration protectionWindow;

  /**
   * A gathering for all sets.
   *
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   */
  RunnerGathering(RunnerExits exits, CordonedNodes cordons, Duration protectionWindow) {
    this.exits = exits;
    this.cordons = cordons;
    this.protectionWindow = protectionWindow;
  }

  /** The same where no node is ever cordoned. */
  RunnerGathering(RunnerExits exits, Duration protectionWindow) {
    this(exits, new CordonedNodes(), protectionWindow);
  }

  /** The set's own runners among those with its label; what is new of them is remembered. */
  Observed observe(
      EphemeralRunnerSet set, Set<EphemeralRunner> labelled, SetMemory memory, Instant now) {
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
    var counts = memory.audit().get().counts(set);
    var views = views(set, runnerByUid.values(), counts, memory);
    var registrations = registrations(set, runnerByUid.values());
    memory.audit().updateAndGet(state -> state.observed(registrations, views, counts, now));
    learn(memory, views, runnerByUid);
    var demand = set.statusOrNone().demand();
    memory
        .removals()
        .jobs(
            views.stream()
                .filter(RunnerView::busy)
                .map(view -> startOfJob(runnerByUid.get(view.uid()), view))
                .max(Instant::compareTo)
                .orElse(null),
            demand == null || demand.assigned() == null ? 0 : demand.assigned());
    return new Observed(runnerByUid, views, counts);
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
        runner, exits.of(runner.getMetadata().getUid()), memory, set.getSpec(), cordons);
  }

  /**
   * A mark without a time counts from when the runner became idle, so that a restart is no news.
   */
  private static Instant startOfJob(@Nullable EphemeralRunner runner, RunnerView view) {
    var job = runner == null ? null : runner.statusOrNone().job();
    return job == null || job.startedAt() == null ? view.waitingSince() : job.startedAt();
  }

  static void learn(
      SetMemory memory, List<RunnerView> views, Map<String, EphemeralRunner> runnerByUid) {
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
        failed(memory, view, runnerByUid.get(view.uid()));
      }
    }
  }

  private static void failed(SetMemory memory, RunnerView view, @Nullable EphemeralRunner runner) {
    var failure = runner == null ? null : runner.statusOrNone().failure();
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

  /** All that the planner decides from. */
  ReplicasInput input(
      EphemeralRunnerSet set, Observed runners, long delivered, SetMemory memory, Instant now) {
    var spec = set.getSpec();
    var demand = set.statusOrNone().demand();
    boolean known = demand != null && demand.assigned() != null;
    var removals = memory.removals();
    return new ReplicasInput(
        new ReplicasTarget(
            spec.replicas() == null ? 0 : spec.replicas(),
            spec.maxRunners(),
            spec.demandMessageId() == null ? 0 : spec.demandMessageId(),
            known ? demand : null),
        runners.views(),
        new ReplicasInput.Creation(
            memory.creation().backoff(),
            isHeld(set, runners, memory),
            reservedPlaces(removals, spec.releasedIdle())),
        new ReplicasInput.Removal(
            memory.surplusSince(),
            removals.free(now),
            removals.freeAt(now),
            removals.removedSince(observedAt(demand)),
            protectionWindow,
            delivered,
            sweep(runners, known ? demand : null, removals, now)));
  }

  /** Places that age collection leaves empty, less those that the target reckons with. */
  private static int reservedPlaces(RemovalMemory removals, @Nullable Integer reckoned) {
    return Math.max(0, removals.placesLeftEmpty() - (reckoned == null ? 0 : reckoned));
  }

  /** The sweep of age collection under way; its first plan finds out how much it may remove. */
  private static @Nullable AgeSweep sweep(
      Observed runners, @Nullable Demand demand, RemovalMemory removals, Instant now) {
    var sweep = removals.sweep();
    if (sweep == null || sweep.left() != null) {
      return sweep;
    }
    var bounded = sweep.boundedBy(IdleAgePlanner.bound(sweep, runners.views(), demand, now));
    return removals.boundSweep(sweep, bounded) ? bounded : null;
  }

  /**
   * Whether no runner may be made: the set is being deleted, its session is somebody else's (NM6),
   * or the service refused the version of its revision and neither a new revision came nor were no
   * runners wanted since (RN9). The refused runner itself may be cleaned up meanwhile.
   */
  private static boolean isHeld(EphemeralRunnerSet set, Observed runners, SetMemory memory) {
    var revision = set.getSpec().revision();
    if (set.getSpec().replicas() == null || set.getSpec().replicas() == 0) {
      memory.creation().rejectedRevision(null);
    } else if (runners.byUid().values().stream()
        .filter(r -> revision.equals(r.getSpec().revision()))
        .anyMatch(r -> r.statusOrNone().phase() == RunnerPhase.OUTDATED)) {
      memory.creation().rejectedRevision(revision);
    }
    return set.getMetadata().getDeletionTimestamp() != null
        || Boolean.TRUE.equals(set.getSpec().creationHeld())
        || Boolean.TRUE.equals(set.getSpec().templateRefused())
        || revision.equals(memory.creation().rejectedRevision());
  }

  private static @Nullable Instant observedAt(@Nullable Demand demand) {
    return demand == null ? null : demand.observedAt();
  }
}
