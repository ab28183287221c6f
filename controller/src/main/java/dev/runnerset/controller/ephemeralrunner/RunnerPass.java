package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.ResourceLookup;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
  private final RunnerActions actions;
  private final PodShield shield;
  private final Map<String, Passed> passedByUid;

  /**
   * The last pass over a runner.
   *
   * @param due when the next one comes by itself, if this one ended well
   */
  private record Passed(State state, RequeueTime due) {
    enum State {
      UNDER_WAY,
      /** Under way, and an event came meanwhile. */
      MISSED_AN_EVENT,
      ENDED,
      FAILED
    }

    static Passed is(State state) {
      return new Passed(state, RequeueTime.NEVER);
    }

    /** After a failure each event makes a pass. */
    static Passed next(@Nullable Passed last) {
      return last != null && last.state == State.FAILED ? last : is(State.UNDER_WAY);
    }

    Passed withEvent() {
      return state == State.UNDER_WAY ? is(State.MISSED_AN_EVENT) : this;
    }
  }

  /**
   * What the reconcilers of runners and of EphemeralRunnerSets tell each other.
   *
   * @param exits written here, read there
   * @param newRunners written there, read here
   * @param sets the EphemeralRunnerSets in the cache
   * @param trigger makes the other reconciler run
   * @param verdicts written there, read here
   * @param gate keeps what is asked here within the budget that is kept there
   * @param memories what both remember of runners
   */
  public record SharedWithSets(
      RunnerExits exits,
      NewRunners newRunners,
      ResourceLookup<EphemeralRunnerSet> sets,
      Consumer<SetKey> trigger,
      RunnerVerdicts verdicts,
      RemovalRequestGate gate,
      Memories memories) {}

  /**
   * How a pass acts and reports.
   *
   * @param evidence collected for each runner that fails
   */
  public record Environment(
      RunnerObjects objects, FailureEvidence evidence, Events events, Meters meters, Clock clock) {}

  /** Passes over all runners; {@code connections} and {@code remover} ask the service. */
  public RunnerPass(
      Environment environment,
      RunnerConnections connections,
      RunnerRemover remover,
      SharedWithSets shared) {
    this.objects = environment.objects();
    this.remover = remover;
    this.shared = shared;
    this.clock = environment.clock();
    this.memories = new RunnerMemories(shared.memories());
    var start = new RunnerStart(connections, objects);
    this.actions = new RunnerActions(start, remover, shared, environment, memories);
    this.shield = new PodShield(environment, memories);
    this.passedByUid = memories.byUid();
  }

  /**
   * Whether a runner needs the finalizer: not one that a user made and that the service was never
   * asked for. It gets the finalizer just before the first call.
   */
  private static boolean mayHaveMadeSomething(EphemeralRunner runner) {
    return runner.getSpec().template() == null
        || runner.statusOrNone().isBusy()
        || RunnerStatuses.tellsOfItsStart(runner.statusOrNone());
  }

  /** Whether it must get the finalizer. */
  static boolean lacksFinalizer(EphemeralRunner runner) {
    return !runner.hasFinalizer(Labels.RUNNER_FINALIZER)
        && !runner.isMarkedForDeletion()
        && mayHaveMadeSomething(runner);
  }

  /**
   * A pass over a runner, also over one that is being deleted and has our finalizer.
   *
   * @return when the next one is due
   * @throws RuntimeException the first failure of a step, after the other steps were taken
   */
  public RequeueTime run(EphemeralRunner runner, RunnerCaches caches) {
    var uid = runner.getMetadata().getUid();
    passedByUid.compute(uid, (_, last) -> Passed.next(last));
    var passed = Passed.is(Passed.State.FAILED);
    boolean missed;
    try {
      passed = new Passed(Passed.State.ENDED, steps(runner, caches));
    } finally {
      var before = passedByUid.put(uid, passed);
      missed = before != null && before.state == Passed.State.MISSED_AN_EVENT;
    }
    return missed
            && caches.latest(runner).filter(now -> isNews(now, caches.podNamed(now))).isPresent()
        ? RequeueTime.at(clock.instant())
        : passed.due();
  }

  private RequeueTime steps(EphemeralRunner runner, RunnerCaches caches) {
    var steps = new Steps();
    steps.take(() -> lostSet(runner).ifPresent(set -> putSetBack(runner, set)));
    var observed = gather(runner, caches);
    var shielded = steps.requeue(() -> shield.write(observed, caches.writes()));
    var decided = steps.requeue(() -> act(observed, caches));
    steps.end();
    return shielded.or(decided);
  }

  /**
   * Whether a pass after an event of the runner or its pod would do anything, or be due earlier
   * than the next one is. An event during a pass waits for its end: it may be the echo of a write
   * whose answer is still on its way. Reads memory only.
   *
   * @param runner as the cache shows it
   * @param pod of the runner's name, as the cache shows it
   */
  public boolean isNews(EphemeralRunner runner, Optional<Pod> pod) {
    var uid = runner.getMetadata().getUid();
    var passed = passedByUid.computeIfPresent(uid, (_, last) -> last.withEvent());
    if (passed == null || passed.state != Passed.State.ENDED) {
      return passed == null || passed.state == Passed.State.FAILED;
    }
    var observed = observe(runner, ownPod(runner, pod), memories.of(uid));
    var next = RunnerLifecycle.decide(observed);
    return lacksFinalizer(runner)
        || lostSet(runner).isPresent()
        || Shield.missing(observed).isPresent()
        || !next.actions().stream().allMatch(observed::isNoted)
        || !passed.due.or(next.requeue()).equals(passed.due);
  }

  /** One step, since an action may rest on the one before: what a pod said outlives the pod. */
  private RequeueTime act(ObservedRunner observed, RunnerCaches caches) {
    var decision = RunnerLifecycle.decide(observed);
    var requeue = decision.requeue().or(observed.livePodUntil());
    for (var action : decision.actions()) {
      requeue = requeue.or(actions.apply(action, observed, caches));
    }
    return requeue;
  }

  /**
   * Puts the label of its set back that somebody took off or changed: runners are listed by it, and
   * the owner says which set it is. Without it the runner counts no more, and stays for ever.
   */
  private void putSetBack(EphemeralRunner runner, String set) {
    objects.putSet(runner, set);
    LogLines.about(runner, LOG.atInfo())
        .addKeyValue("set", set)
        .log("put the label of its set back on a runner");
  }

  private static Optional<String> lostSet(EphemeralRunner runner) {
    return Ownership.setName(runner)
        .filter(set -> !set.equals(Meta.labels(runner).get(Labels.SET)));
  }

  private ObservedRunner gather(EphemeralRunner runner, RunnerCaches caches) {
    var uid = runner.getMetadata().getUid();
    var memory =
        memories.begin(
            uid, () -> shared.newRunners().take(runner) ? RunnerMemory.NEW : RunnerMemory.NONE);
    var cached = ownPod(runner, caches.podNamed(runner));
    if (cached != null && memory.livePod() != null) {
      memory = memories.update(uid, m -> m.withLivePod(null));
    }
    return observe(runner, cached, memory);
  }

  private ObservedRunner observe(
      EphemeralRunner runner, @Nullable PodView cached, RunnerMemory memory) {
    var now = clock.instant();
    var uid = runner.getMetadata().getUid();
    return new ObservedRunner(
        runner,
        cached == null ? memory.podReadLive(now) : cached,
        setOf(runner),
        memory.judged(shared.verdicts().isOverdue(uid), shared.verdicts().isOpen(runner)),
        shared.exits().of(uid).orElse(null),
        id -> remover.isRemoved(uid, id),
        now);
  }

  private static @Nullable PodView ownPod(EphemeralRunner runner, Optional<Pod> named) {
    return named
        .map(PodView::of)
        .filter(pod -> pod.ownerUid().equals(runner.getMetadata().getUid()))
        .orElse(null);
  }

  private @Nullable EphemeralRunnerSet setOf(EphemeralRunner runner) {
    return RunnerCache.setOf(runner)
        .flatMap(set -> shared.sets().of(set.namespace(), set.name()))
        .orElse(null);
  }
}
