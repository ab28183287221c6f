package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Parallel;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.metrics.Meters;
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
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Carries out what {@link ReplicasPlanner} decided: makes, removes and deletes runners. */
final class ReplicasActions {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicasActions.class);
  private static final int MOST_AT_ONCE = 24;

  private final KubeApi kube;
  private final RunnerCreator creator;
  private final ScaleDownPass pass;
  private final ExecutorService threads;
  private final Clock clock;
  private final ReconcileTrigger wakeUp;

  ReplicasActions(
      KubeApi kube,
      ServiceRunnerRemover remover,
      ExecutorService threads,
      Meters meters,
      Clock clock,
      RandomGenerator random,
      NewRunners newRunners,
      ReconcileTrigger wakeUp) {
    this.kube = kube;
    this.creator = new RunnerCreator(kube, random, threads, newRunners);
    this.pass = new ScaleDownPass(remover, threads, meters, clock);
    this.threads = threads;
    this.clock = clock;
    this.wakeUp = wakeUp;
  }

  /** Makes runners; a refusal becomes a backoff and a finding, not an exception. */
  void create(
      EphemeralRunnerSet set,
      Provisioning wanted,
      SetMemory memory,
      Consumer<EphemeralRunner> made) {
    if (wanted.count() == 0) {
      return;
    }
    try {
      creator.create(set, wanted, made);
      log(set).addKeyValue("count", wanted.count()).log("made runners");
    } catch (KubernetesClientException e) {
      memory.creationFailed(clock.instant(), "runners cannot be made: " + e.getMessage());
      LOG.atWarn()
          .addKeyValue("namespace", set.getMetadata().getNamespace())
          .addKeyValue("set", set.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("runners could not be made; tried again after the backoff");
    }
  }

  /** Deletes ended runners in parallel; their finalizers see to what is left at the service. */
  void deleteFinished(
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
    memory.askedToGo(view.uid());
    return () -> {
      try {
        // no service call preceded: it goes as it was seen, since somebody may ask to keep it
        boolean deleted = kube.delete(Resource.of(runner), Preconditions.unchanged(runner));
        if (!deleted) {
          memory.changedSinceAsked(view.uid());
        }
        return deleted;
      } catch (RuntimeException e) {
        memory.removalFailed(view.uid(), clock.instant());
        LOG.atWarn()
            .addKeyValue("runner", view.name())
            .addKeyValue("error", e.getMessage())
            .log("an ended runner could not be deleted; it is tried again");
        return false;
      }
    };
  }

  /**
   * Starts to remove surplus runners beside the reconciler, so that a rise need not wait for it.
   *
   * @param passes how many passes had begun when the plan was made: another one since then has
   *     changed what it was made from, and its end is looked at
   */
  void startPass(
      EphemeralRunnerSet set,
      RemovalPlan plan,
      ScaleDownPass.Chosen chosen,
      SetMemory memory,
      long passes,
      IntSupplier surplusNow) {
    if (memory.passes() == passes && memory.beginPass()) {
      threads.submit(() -> walk(set, plan, chosen, memory, surplusNow));
    }
  }

  /**
   * A pass in this thread; nobody goes while another one is under way or its refusals are spent.
   */
  ScaleDownPass.Tally pass(
      EphemeralRunnerSet set,
      RemovalPlan plan,
      ScaleDownPass.Chosen chosen,
      SetMemory memory,
      IntSupplier allowedNow) {
    return memory.removalBudget().isOpen(clock.instant()) && memory.beginPass()
        ? walk(set, plan, chosen, memory, allowedNow)
        : ScaleDownPass.Tally.NONE;
  }

  private ScaleDownPass.Tally walk(
      EphemeralRunnerSet set,
      RemovalPlan plan,
      ScaleDownPass.Chosen chosen,
      SetMemory memory,
      IntSupplier surplusNow) {
    var tally = ScaleDownPass.Tally.NONE;
    try {
      tally = pass.walk(plan, chosen, memory, surplusNow);
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
      memory.endPass(
          tally.answered(), tally.refused(), backsOff ? tally.failed() : 0, clock.instant());
      wakeUp.wake(set.getMetadata().getNamespace(), set.getMetadata().getName());
    }
  }

  private static LoggingEventBuilder log(EphemeralRunnerSet set) {
    return LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName());
  }
}
