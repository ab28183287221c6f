package dev.runnerset.controller.replicas;

import dev.runnerset.controller.meter.Meters;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.runner.RunnerExits;
import dev.runnerset.controller.runner.SetWakeUp;
import dev.runnerset.crd.Demand;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerSet;
import dev.runnerset.crd.EphemeralRunnerSetStatus;
import dev.runnerset.crd.Labels;
import dev.runnerset.crd.RunnerPhase;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keeps as many runners as {@code spec.replicas} says: gather, {@link ReplicasPlanner}, apply. */
@ControllerConfiguration(
    name = "ephemeralrunnerset",
    generationAwareEventProcessing = false,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 2, timeUnit = TimeUnit.MINUTES))
@GradualRetry(initialInterval = 500, maxInterval = 60_000, maxAttempts = Integer.MAX_VALUE)
public final class EphemeralRunnerSetReconciler
    implements Reconciler<EphemeralRunnerSet>, SetWakeUp {
  private static final Duration STATUS_INTERVAL = Duration.ofSeconds(1);

  private final KubeApi kube;
  private final RunnerExits exits;
  private final Clock clock;
  private final Duration protectionWindow;
  private final ReplicasActions actions;
  private final Map<String, SetMemory> memoryByUid = new ConcurrentHashMap<>();
  private final SimpleInboundEventSource<EphemeralRunnerSet> wakeUps =
      new SimpleInboundEventSource<>("wake-ups");
  private @Nullable InformerEventSource<EphemeralRunner, EphemeralRunnerSet> runners;
  private @Nullable IndexedResourceCache<EphemeralRunnerSet> sets;

  /**
   * The reconciler.
   *
   * @param threads one thread a request, as virtual ones
   * @param protectionWindow how long a runner that just became idle is spared (design section 5)
   */
  public EphemeralRunnerSetReconciler(
      KubeApi kube,
      ServiceRunnerRemover remover,
      RunnerExits exits,
      ExecutorService threads,
      Meters meters,
      Clock clock,
      RandomGenerator random,
      Duration protectionWindow) {
    this.kube = kube;
    this.exits = exits;
    this.clock = clock;
    this.protectionWindow = protectionWindow;
    this.actions = new ReplicasActions(kube, remover, threads, meters, clock, random, this);
  }

  @Override
  public List<EventSource<?, EphemeralRunnerSet>> prepareEventSources(
      EventSourceContext<EphemeralRunnerSet> context) {
    sets = context.getPrimaryCache();
    runners =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(EphemeralRunner.class, EphemeralRunnerSet.class)
                .withName("runners")
                .withLabelSelector(Labels.SET)
                .withSecondaryToPrimaryMapper(runner ->
                    Set.of(
                        new ResourceID(
                            runner.getMetadata().getLabels().get(Labels.SET),
                            runner.getMetadata().getNamespace())))
                .build(),
            context);
    return List.of(runners, wakeUps);
  }

  @Override
  public void wake(String namespace, String name) {
    wakeUps.propagateEvent(new ResourceID(name, namespace));
  }

  /** The set of that name as the cache has it; its template makes the pods of its runners. */
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return sets == null ? Optional.empty() : sets.get(new ResourceID(name, namespace));
  }

  @Override
  public UpdateControl<EphemeralRunnerSet> reconcile(
      EphemeralRunnerSet set, Context<EphemeralRunnerSet> context) {
    var now = clock.instant();
    var memory = memory(set);
    var revision = set.getSpec().revision();
    memory.revision(revision);
    var runnerByUid = gather(set, context);
    memory.retain(runnerByUid.keySet());
    var views =
        runnerByUid.values().stream()
            .map(r -> RunnerViews.of(r, exits.of(r.getMetadata().getUid()), memory, revision))
            .toList();
    learn(memory, views, runnerByUid);

    var input = input(set, memory, views, runnerByUid);
    var plan = ReplicasPlanner.plan(input, now);
    memory.surplusSince(plan.surplusSince());
    actions.deleteFinished(plan.finished(), runnerByUid, memory);
    if (plan.removal() != null) {
      var removal = plan.removal();
      actions.startPass(
          set,
          removal,
          runnerByUid,
          memory,
          () -> removal.wanted() - Math.max(0, replicasNow(set) - input.replicas()));
    }
    actions.create(set, plan.create(), memory, this::remember);
    var status = writeStatus(set, memory, input, plan, now);
    return next(plan.lookAgainAt(), status, clock.instant());
  }

  private SetMemory memory(EphemeralRunnerSet set) {
    return memoryByUid.computeIfAbsent(set.getMetadata().getUid(), uid -> new SetMemory());
  }

  private Map<String, EphemeralRunner> gather(
      EphemeralRunnerSet set, Context<EphemeralRunnerSet> context) {
    var runnerByUid = new HashMap<String, EphemeralRunner>();
    for (var runner : context.getSecondaryResources(EphemeralRunner.class)) {
      if (isOwned(runner, set)) {
        runnerByUid.put(runner.getMetadata().getUid(), runner);
      }
    }
    return runnerByUid;
  }

  /** A label can be written by anybody; the owner reference is ours (also of an earlier ers). */
  private static boolean isOwned(EphemeralRunner runner, EphemeralRunnerSet set) {
    return runner.getMetadata().getOwnerReferences().stream()
        .anyMatch(o ->
            Boolean.TRUE.equals(o.getController())
                && o.getKind().equals(set.getKind())
                && o.getName().equals(set.getMetadata().getName()));
  }

  static void learn(
      SetMemory memory, List<RunnerView> views, Map<String, EphemeralRunner> runnerByUid) {
    for (var view : views) {
      if (view.older()) {
        continue; // what becomes of it says nothing of the revision that is made now
      }
      if (view.busy()) {
        memory.gotJob(view.uid());
      } else if (view.phase() == RunnerPhase.FAILED && view.endedAt() != null) {
        memory.failed(view.uid(), view.endedAt(), failure(runnerByUid.get(view.uid())));
      }
    }
  }

  private static String failure(@Nullable EphemeralRunner runner) {
    if (runner == null || runner.getStatus() == null || runner.getStatus().failure() == null) {
      return "a runner failed";
    }
    var failure = runner.getStatus().failure();
    return runner.getMetadata().getName() + ": " + failure.reason() + ": " + failure.message();
  }

  private ReplicasInput input(
      EphemeralRunnerSet set,
      SetMemory memory,
      List<RunnerView> views,
      Map<String, EphemeralRunner> runnerByUid) {
    var spec = set.getSpec();
    var demand = status(set).demand();
    boolean heard = demand != null && demand.assigned() != null;
    return new ReplicasInput(
        spec.replicas() == null ? 0 : spec.replicas(),
        spec.maxRunners(),
        spec.demandMessageId() == null ? 0 : spec.demandMessageId(),
        heard ? demand : null,
        views,
        memory.surplusSince(),
        memory.isPassRunning(),
        memory.removedSince(observedAt(demand)),
        memory.removalBudget(),
        memory.creationBackoff(),
        isHeld(set, runnerByUid),
        protectionWindow);
  }

  /** A refused version holds the set until another revision comes (design section 6). */
  private static boolean isHeld(EphemeralRunnerSet set, Map<String, EphemeralRunner> runnerByUid) {
    var spec = set.getSpec();
    return set.getMetadata().getDeletionTimestamp() != null
        || (spec.replicas() != null
            && spec.replicas() > 0
            && runnerByUid.values().stream()
                .filter(r -> spec.revision().equals(r.getSpec().revision()))
                .anyMatch(
                    r -> r.getStatus() != null && r.getStatus().phase() == RunnerPhase.OUTDATED));
  }

  private static @Nullable Instant observedAt(@Nullable Demand demand) {
    return demand == null ? null : demand.observedAt();
  }

  private int replicasNow(EphemeralRunnerSet set) {
    var meta = set.getMetadata();
    return set(meta.getNamespace(), meta.getName())
        .map(s -> s.getSpec().replicas())
        .orElse(Integer.MAX_VALUE); // a set that is gone removes nobody: its owner does
  }

  private void remember(EphemeralRunner made) {
    if (runners != null) {
      runners.handleRecentResourceCreate(ResourceID.fromResource(made), made);
    }
  }

  private @Nullable Instant writeStatus(
      EphemeralRunnerSet set,
      SetMemory memory,
      ReplicasInput input,
      ReplicasPlan plan,
      Instant now) {
    var generation = set.getMetadata().getGeneration();
    var conditions =
        FailingCondition.of(
            status(set).conditions(),
            memory.creationBackoff(),
            input.creationHeld() && set.getMetadata().getDeletionTimestamp() == null,
            memory.lastFailure(),
            generation,
            now);
    var rollout =
        RolloutProgress.of(set.getSpec().revision(), input.runners(), input.demandMessageId(), now);
    var patch = SetStatusPatch.between(status(set), generation, plan.counts(), rollout, conditions);
    if (patch.isEmpty()) {
      return null;
    }
    if (!memory.mayWriteStatus(now, now.plus(STATUS_INTERVAL))) {
      return memory.statusNotBefore();
    }
    kube.mergeStatus(EphemeralRunnerSet.class, Resource.of(set), patch.get());
    return null;
  }

  private static EphemeralRunnerSetStatus status(EphemeralRunnerSet set) {
    return set.getStatus() == null ? EphemeralRunnerSetStatus.NONE : set.getStatus();
  }

  private static UpdateControl<EphemeralRunnerSet> next(
      @Nullable Instant plan, @Nullable Instant status, Instant now) {
    var at = plan == null || (status != null && status.isBefore(plan)) ? status : plan;
    if (at == null) {
      return UpdateControl.noUpdate();
    }
    var wait = Duration.between(now, at).plusMillis(1);
    return UpdateControl.<EphemeralRunnerSet>noUpdate()
        .rescheduleAfter(wait.isPositive() ? wait : Duration.ofMillis(1));
  }
}
