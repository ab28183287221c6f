package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Parallel;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Makes, deletes and removes runners in the cluster and at the service. */
final class ReplicasActions implements ReplicasPass.Actions {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicasActions.class);
  private static final int MOST_AT_ONCE = 24;

  private final KubeApi kube;
  private final RunnerCreator creator;
  private final ChosenRemoval removal;
  private final ExecutorService threads;
  private final Clock clock;
  private final Meters meters;
  private final Events events;
  private final SetCaches caches;
  private final ReconcileTrigger trigger;

  ReplicasActions(
      EphemeralRunnerSetPass.Environment environment,
      ServiceRunnerRemover remover,
      EphemeralRunnerSetPass.Shared shared,
      SetCaches caches,
      ReconcileTrigger trigger) {
    this.kube = environment.kube();
    this.threads = environment.threads();
    this.clock = environment.clock();
    this.creator = new RunnerCreator(kube, environment.random(), threads, shared.newRunners());
    this.removal = new ChosenRemoval(remover, environment.meters(), shared.events(), clock);
    this.meters = environment.meters();
    this.events = shared.events();
    this.caches = caches;
    this.trigger = trigger;
  }

  @Override
  public void create(EphemeralRunnerSet set, Provisioning wanted, SetMemory memory) {
    try {
      creator.create(set, wanted, caches::remember);
      log(set).addKeyValue("count", wanted.count()).log("made runners");
    } catch (KubernetesClientException e) {
      memory
          .creation()
          .creationFailed(clock.instant(), "runners cannot be made: " + e.getMessage());
      LOG.atWarn()
          .addKeyValue("namespace", set.getMetadata().getNamespace())
          .addKeyValue("set", set.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("runners could not be made; tried again after the backoff");
    }
  }

  /** {@inheritDoc} The finalizers of the runners remove what is left at the service. */
  @Override
  public void deleteFinished(
      List<RunnerView> finished, Map<String, EphemeralRunner> runnerByUid, SetMemory memory) {
    for (int from = 0; from < finished.size(); from += MOST_AT_ONCE) {
      var batch = finished.subList(from, Math.min(from + MOST_AT_ONCE, finished.size()));
      var tasks = batch.stream().map(view -> deletion(view, runnerByUid, memory)).toList();
      for (var result : Parallel.run(threads, tasks)) {
        if (result instanceof Parallel.Result.Failed<Boolean>(var cause)) {
          throw new IllegalStateException(cause);
        }
      }
    }
  }

  /** Deletes one runner; true if it is gone, or its deletion was asked for. */
  private Callable<Boolean> deletion(
      RunnerView view, Map<String, EphemeralRunner> runnerByUid, SetMemory memory) {
    var runner = Objects.requireNonNull(runnerByUid.get(view.uid()));
    memory.removals().askedToGo(view.uid());
    return () -> {
      try {
        // no service call came before: only as it was seen, since somebody may ask to keep it
        boolean deleted = kube.delete(Resource.of(runner), Preconditions.unchanged(runner));
        if (!deleted) {
          memory.removals().changedSinceAsked(view.uid());
        }
        return deleted;
      } catch (RuntimeException e) {
        memory.removals().failed(view.uid(), clock.instant());
        LOG.atWarn()
            .addKeyValue("runner", view.name())
            .addKeyValue("error", e.getMessage())
            .log("an ended runner could not be deleted; it is tried again");
        return false;
      }
    };
  }

  @Override
  public void remove(
      EphemeralRunnerSet set,
      RemovalPlan plan,
      Map<String, EphemeralRunner> runnerByUid,
      SetMemory memory) {
    var begun = new ArrayList<EphemeralRunner>();
    for (var view : plan.candidates()) {
      var now = clock.instant();
      if (begun.size() == plan.wanted() || memory.removals().free(now) == 0) {
        break;
      }
      if (memory.removals().begin(view, plan.reason(), now)) {
        begun.add(Objects.requireNonNull(runnerByUid.get(view.uid())));
      }
    }
    begun.forEach(runner -> threads.execute(() -> remove(set, runner, plan.reason(), memory)));
  }

  private void remove(
      EphemeralRunnerSet set, EphemeralRunner runner, RemovalReason reason, SetMemory memory) {
    try {
      var _ = removal.run(runner, reason, memory.removals());
    } finally {
      trigger(set);
    }
  }

  /** Triggers a reconcile of a set of which a removal has ended: a plan may wait for that. */
  void trigger(EphemeralRunnerSet set) {
    trigger.trigger(set.getMetadata().getNamespace(), set.getMetadata().getName());
  }

  /** {@inheritDoc} One that removes runners again and again is counted and reported (AC10). */
  @Override
  public void sweepEnded(EphemeralRunnerSet set, AgeSweep sweep, SetMemory memory) {
    var thrashing = memory.removals().collections().thrashing(sweep.minRunners());
    if (sweep.begun() > 0 && thrashing != null) {
      var key = SetKey.of(set);
      meters.count(Meter.RUNNER_GC_THRASH, key.namespace(), key.name());
      SetOfRunner.of(set)
          .ifPresent(about -> events.warn(about, EventReason.RUNNER_GC_THRASHING, thrashing));
    }
  }

  /**
   * Removes a runner for that reason in this thread, if one more removal may begin; blocks.
   *
   * @return empty if none may
   */
  Optional<Outcome> removeNow(
      EphemeralRunnerSet set, RunnerView view, EphemeralRunner runner, RemovalReason reason) {
    var memory = caches.memory(set);
    if (!memory.removals().begin(view, reason, clock.instant())) {
      return Optional.empty();
    }
    try {
      return Optional.of(removal.run(runner, reason, memory.removals()));
    } finally {
      trigger(set);
    }
  }

  private static LoggingEventBuilder log(EphemeralRunnerSet set) {
    return LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName());
  }
}
