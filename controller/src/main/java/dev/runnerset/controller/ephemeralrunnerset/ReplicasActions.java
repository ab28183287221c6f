package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Parallel;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Makes, deletes and removes runners in the cluster and at the service. */
final class ReplicasActions implements ReplicasPass.Actions {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicasActions.class);
  private static final int MOST_AT_ONCE = 24;

  private final KubeApi kube;
  private final RunnerCreator creator;
  private final ScaleDownPass pass;
  private final ExecutorService threads;
  private final Clock clock;
  private final RunnerGathering gathering;
  private final SetCaches caches;
  private final ReconcileTrigger trigger;

  ReplicasActions(
      EphemeralRunnerSetPass.Environment environment,
      ServiceRunnerRemover remover,
      NewRunners newRunners,
      RunnerGathering gathering,
      SetCaches caches,
      ReconcileTrigger trigger) {
    this.kube = environment.kube();
    this.threads = environment.threads();
    this.clock = environment.clock();
    this.creator = new RunnerCreator(kube, environment.random(), threads, newRunners);
    this.pass = new ScaleDownPass(remover, threads, environment.meters(), clock);
    this.gathering = gathering;
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

  /** {@inheritDoc} It runs beside the reconciler, so that a rise need not wait for it. */
  @Override
  public void startRemoval(
      EphemeralRunnerSet set, RemovalPlan plan, SetMemory memory, long passes) {
    var recheck = RemovalRecheck.byTarget(set, plan, gathering, caches, clock);
    if (memory.removals().beginPass(passes)) {
      threads.submit(() -> walk(set, plan, recheck, memory.removals()));
    }
  }

  /**
   * Removes runners in this thread, unless another pass is under way or its refusals are spent.
   *
   * @param allowed how many may be removed by the state of the moment
   */
  ScaleDownPass.Tally remove(EphemeralRunnerSet set, RemovalPlan plan, IntSupplier allowed) {
    var removals = caches.memory(set).removals();
    var recheck = new RemovalRecheck(set, plan.reason(), gathering, caches, clock, allowed);
    return removals.budget().isOpen(clock.instant()) && removals.beginPass(removals.passes())
        ? walk(set, plan, recheck, removals)
        : ScaleDownPass.Tally.NONE;
  }

  private ScaleDownPass.Tally walk(
      EphemeralRunnerSet set,
      RemovalPlan plan,
      ScaleDownPass.Recheck recheck,
      RemovalMemory memory) {
    var tally = ScaleDownPass.Tally.NONE;
    try {
      tally = pass.walk(plan, recheck, memory);
      log(set)
          .addKeyValue("reason", plan.reason())
          .addKeyValue("removed", tally.removed())
          .addKeyValue("refused", tally.refused())
          .addKeyValue("failed", tally.failed())
          .log("removed runners");
      return tally;
    } finally {
      // AC7: a failing sweep for age must not keep surplus runners from going
      boolean backsOff = plan.reason() != RemovalReason.AGE;
      endPass(set, memory, tally.answered(), tally.refused(), backsOff ? tally.failed() : 0);
    }
  }

  /** Ends a pass that was begun; a plan that met the pass has no requeue and waits for its end. */
  void endPass(
      EphemeralRunnerSet set, RemovalMemory memory, int answered, int refused, int failed) {
    memory.endPass(answered, refused, failed, clock.instant());
    trigger.trigger(set.getMetadata().getNamespace(), set.getMetadata().getName());
  }

  private static LoggingEventBuilder log(EphemeralRunnerSet set) {
    return LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName());
  }
}
