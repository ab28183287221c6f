package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.LostJobPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over one runner: gathers what is observed, has {@link RunnerLifecycle} decide, and
 * carries the decision out. Knows nothing of the framework.
 */
public final class RunnerPass {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerPass.class);

  private final RunnerObjects objects;
  private final RunnerRemover remover;
  private final SharedWithSets shared;
  private final Clock clock;
  private final RunnerMemories memories;
  private final RunnerCalls calls;
  private final RunnerActions actions;
  private final PodShield shield;

  /** Passes over all runners; {@code connections} and {@code remover} ask the service. */
  public RunnerPass(
      RunnerPassEnvironment environment,
      RunnerConnections connections,
      RunnerRemover remover,
      SharedWithSets shared) {
    this.objects = environment.objects();
    this.remover = remover;
    this.shared = shared;
    this.clock = environment.clock();
    this.memories = new RunnerMemories(shared.memories());
    this.calls = new RunnerCalls(environment.calls(), shared.memories());
    var start = new RunnerStart(connections, objects);
    this.actions = new RunnerActions(start, remover, calls, shared, environment, memories);
    this.shield = new PodShield(environment, shared.memories());
  }

  /**
   * Whether a runner needs the finalizer: not one that a user made and that the service was never
   * asked for. It gets the finalizer just before the first call.
   */
  static boolean mayHaveMadeSomething(EphemeralRunner runner) {
    return runner.getSpec().template() == null
        || runner.statusOrNone().isBusy()
        || RunnerStatuses.tellsOfItsStart(runner.statusOrNone());
  }

  /**
   * A pass over a runner, also over one that is being deleted and has our finalizer. While a call
   * of the service is under way there is none: its end triggers the next one.
   *
   * @return when the next one is due
   * @throws RuntimeException the first failure of a step, after the other steps were taken
   */
  public RequeueTime run(EphemeralRunner runner, RunnerCaches caches) {
    if (calls.isUnderWay(runner)) {
      return RequeueTime.NEVER;
    }
    var steps = new Steps();
    steps.take(() -> putSetBack(runner));
    var observed = gather(runner, caches);
    var shielded = steps.requeue(() -> shield.write(observed, caches.writes()));
    var decided = steps.requeue(() -> act(observed, caches));
    steps.end();
    return shielded.or(decided);
  }

  /** One step, since an action may rest on the one before: what a pod said outlives the pod. */
  private RequeueTime act(ObservedRunner observed, RunnerCaches caches) {
    var step = calls.goOn(observed, caches.writes()).orElseGet(() -> decided(observed));
    var requeue = step.requeue();
    var left = step.left();
    for (int i = 0; i < left.size(); i++) {
      var again = actions.apply(left.get(i), observed, caches);
      if (again.isEmpty()) {
        calls.stop(
            observed.runner(), new RunnerCalls.Stopped(requeue, left.subList(i + 1, left.size())));
        return RequeueTime.NEVER;
      }
      requeue = requeue.or(again.get());
    }
    return requeue;
  }

  private static RunnerCalls.Stopped decided(ObservedRunner observed) {
    var decision = RunnerLifecycle.decide(observed);
    return new RunnerCalls.Stopped(
        decision.requeue().or(observed.livePodUntil()), decision.actions());
  }

  /**
   * Puts the label of its set back that somebody took off or changed: runners are listed by it, and
   * the owner says which set it is. Without it the runner counts no more, and stays for ever.
   */
  private void putSetBack(EphemeralRunner runner) {
    Ownership.setName(runner)
        .filter(set -> !set.equals(Meta.labels(runner).get(Labels.SET)))
        .ifPresent(set -> {
          objects.putSet(runner, set);
          LogLines.about(runner, LOG.atInfo())
              .addKeyValue("set", set)
              .log("put the label of its set back on a runner");
        });
  }

  private ObservedRunner gather(EphemeralRunner runner, RunnerCaches caches) {
    var now = clock.instant();
    var uid = runner.getMetadata().getUid();
    var memory =
        memories.begin(
            uid, () -> shared.newRunners().take(runner) ? RunnerMemory.NEW : RunnerMemory.NONE);
    var cached = ownPod(runner, memory, caches);
    if (cached != null && memory.livePod() != null) {
      memory = memories.update(uid, m -> m.withLivePod(null));
    }
    var observed =
        new ObservedRunner(
            runner,
            cached == null ? memory.podReadLive(now) : cached,
            setOf(runner),
            memory.judged(shared.verdicts().isOverdue(uid), shared.verdicts().isOpen(runner)),
            shared.exits().of(uid).orElse(null),
            id -> remover.isRemoved(uid, id),
            now);
    if (!LostJobPlanner.isPending(observed)) {
      return observed;
    }
    memories.update(uid, m -> m.lossSeen(now));
    return observed.with(observed.memory().lossSeen(now));
  }

  private static @Nullable PodView ownPod(
      EphemeralRunner runner, RunnerMemory memory, RunnerCaches caches) {
    var known = runner.statusOrNone().runnerId();
    var id = known == null ? memory.start().runnerId() : known;
    return caches
        .podNamed(runner)
        .filter(pod -> RunnerPod.isOwnedBy(pod, runner, id))
        .map(PodView::of)
        .orElse(null);
  }

  private @Nullable EphemeralRunnerSet setOf(EphemeralRunner runner) {
    return RunnerCache.setOf(runner)
        .flatMap(set -> shared.sets().of(set.namespace(), set.name()))
        .orElse(null);
  }
}
