package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes, deletes and removes runners in the cluster and at the service. */
final class ReplicasActions implements ReplicasPass.Actions {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicasActions.class);

  /** Of all sets: as many as {@link RunnerCreator} makes at once for one. */
  static final int MOST_DELETED_AT_ONCE = 24;

  private final KubeApi kube;
  private final RunnerCreator creator;
  private final ServiceRunnerRemover remover;
  private final Meters meters;
  private final Events events;
  private final ExecutorService threads;
  private final Clock clock;
  private final SetMemories memories;
  private final List<RemovalRule> rules;
  private final Consumer<SetKey> trigger;
  private final Semaphore deletions = new Semaphore(MOST_DELETED_AT_ONCE, true);

  ReplicasActions(
      EphemeralRunnerSetPass.Environment environment,
      EphemeralRunnerSetPass.Shared shared,
      SetMemories memories,
      List<RemovalRule> rules,
      Consumer<SetKey> trigger) {
    this.kube = environment.kube();
    this.threads = environment.threads();
    this.clock = environment.clock();
    this.creator = new RunnerCreator(kube, environment.random(), threads, shared.newRunners());
    this.remover = shared.remover();
    this.meters = environment.meters();
    this.events = shared.events();
    this.memories = memories;
    this.rules = rules;
    this.trigger = trigger;
  }

  @Override
  public void create(EphemeralRunnerSet set, Provisioning wanted, SetMemory memory) {
    try {
      creator.create(set, wanted, memories.known()::remember);
      LogLines.about(set, LOG.atInfo()).addKeyValue("count", wanted.count()).log("made runners");
    } catch (KubernetesClientException e) {
      memory
          .creation()
          .creationFailed(
              clock.instant(), "runners cannot be made: " + e.getMessage(), Denial.isOfQuota(e));
      LogLines.about(set, LOG.atWarn())
          .addKeyValue("error", e.getMessage())
          .log("runners could not be made; tried again after the backoff");
    }
  }

  /** {@inheritDoc} The finalizers of the runners remove what is left at the service. */
  @Override
  public void deleteFinished(List<RunnerView> finished, SetMemory memory) {
    for (var view : finished) {
      memory.removals().askedToGo(view.uid());
      threads.execute(() -> delete(view.resource(), memory.removals()));
    }
  }

  private void delete(EphemeralRunner runner, RemovalMemory removals) {
    var uid = runner.getMetadata().getUid();
    deletions.acquireUninterruptibly();
    try {
      // no service call came before: only as it was seen, since somebody may ask to keep it
      if (!kube.delete(Resource.of(runner), Preconditions.unchanged(runner))) {
        removals.changedSinceAsked(uid);
        memories
            .known()
            .runner(runner.getMetadata().getNamespace(), runner.getMetadata().getName())
            .filter(now -> !Preconditions.unchanged(now).equals(Preconditions.unchanged(runner)))
            .flatMap(RunnerCache::setOf)
            .ifPresent(trigger); // the event of its change has come, and no other will
      }
    } catch (RuntimeException e) {
      removals.failed(uid, clock.instant());
      RunnerCache.setOf(runner).ifPresent(trigger);
      LogLines.about(runner, LOG.atWarn())
          .addKeyValue("error", e.getMessage())
          .log("an ended runner could not be deleted; it is tried again");
    } finally {
      deletions.release();
    }
  }

  @Override
  public void remove(RemovalPlan plan, SetMoment moment, SetMemory memory) {
    var rule = rule(plan.reason());
    var begun = new ArrayList<EphemeralRunner>();
    for (var view : plan.candidates()) {
      var now = clock.instant();
      if (begun.size() == plan.wanted() || memory.removals().free(now) == 0) {
        break;
      }
      BooleanSupplier agreed =
          () -> rule.map(each -> each.begins(memory.slots(), now)).orElse(true);
      if (memory.removals().begin(view, plan.reason(), agreed, now)) {
        begun.add(view.resource());
      }
    }
    begun.forEach(
        runner -> threads.execute(() -> remove(moment.set(), runner, plan.reason(), memory)));
  }

  private Optional<RemovalRule> rule(RemovalReason reason) {
    return rules.stream().filter(rule -> rule.reason() == reason).findFirst();
  }

  /** Removes a chosen runner (SD5, SD7); blocks. An unexpected error is a failed removal. */
  private Outcome remove(
      EphemeralRunnerSet set, EphemeralRunner runner, RemovalReason reason, SetMemory memory) {
    Outcome outcome = new Outcome.Failed(RunnerReason.UNKNOWN, "it ended with an error");
    try {
      outcome = asked(runner, reason);
    } finally {
      var until = remover.suspectUntil(runner);
      var uid = runner.getMetadata().getUid();
      memory.removals().end(uid, reason, outcome, until, clock.instant());
      var answer = outcome;
      rule(reason).ifPresent(rule -> rule.ended(memory.slots(), answer));
      trigger(set);
    }
    report(runner, reason, outcome);
    return outcome;
  }

  private Outcome asked(EphemeralRunner runner, RemovalReason reason) {
    try {
      return remover.removeSurplus(runner, reason);
    } catch (RuntimeException e) {
      return new Outcome.Failed(RunnerReason.UNKNOWN, e.toString());
    }
  }

  private void report(EphemeralRunner runner, RemovalReason reason, Outcome outcome) {
    var meta = runner.getMetadata();
    if (outcome instanceof Outcome.Failed(_, var message)) {
      LogLines.about(runner, LOG.atWarn())
          .addKeyValue("error", message)
          .log("a runner could not be removed; it is tried again");
    }
    if (!(outcome instanceof Outcome.Removed)) {
      return;
    }
    LogLines.about(runner, LOG.atInfo())
        .addKeyValue("reason", reason)
        .addKeyValue("why", reason.sentence())
        .log("removed a runner");
    if (reason.isCounted()) {
      var set = meta.getLabels().getOrDefault(Labels.SET, "");
      meters.of(meta.getNamespace(), set).count(Meter.RUNNERS_GARBAGE_COLLECTED, reason.word());
    }
    if (reason == RemovalReason.RETIRED) {
      SetOfRunner.of(runner).ifPresent(set -> noteRetired(set, meta.getName()));
    }
  }

  private void noteRetired(HasMetadata set, String name) {
    events.note(
        set,
        EventReason.RUNNER_RETIRED,
        name,
        "runner " + name + " is removed, since " + RemovalReason.RETIRED.sentence());
  }

  /** Triggers a reconcile of a set of which a removal has ended: a plan may wait for that. */
  void trigger(EphemeralRunnerSet set) {
    trigger.accept(SetKey.of(set));
  }

  /**
   * Removes a runner for that reason in this thread, if one more removal may begin; blocks.
   *
   * @return empty if none may
   */
  Optional<Outcome> removeNow(
      EphemeralRunnerSet set, RunnerView view, EphemeralRunner runner, RemovalReason reason) {
    var memory = memories.memory(set);
    return memory.removals().begin(view, reason, () -> true, clock.instant())
        ? Optional.of(remove(set, runner, reason, memory))
        : Optional.empty();
  }
}
