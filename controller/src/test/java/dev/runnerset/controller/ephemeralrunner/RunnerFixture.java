package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.features.evidence.BlackBox;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The side effects on one runner, against an API server and a service that a test plays. */
final class RunnerFixture implements RunnerCaches, WriteCache {
  static final String UID = "uid-1";

  /** Answers a call by the name of its method. */
  interface Answers {
    @Nullable Object to(String method, Object[] arguments);
  }

  final Memories all = new Memories();
  final RunnerMemories memories = new RunnerMemories(all);
  final TestClock clock = new TestClock(Situation.NOW);
  final Meters meters = Meter.series();
  final RunnerExits exits = new RunnerExits(new Memories(), runner -> {});
  final OpenGate gate = new OpenGate();

  /** The reasons of the events. */
  final List<String> reasons = new ArrayList<>();

  /** Reason and message of the events. */
  final List<String> events = new ArrayList<>();

  /** What the lost jobs were lost by that were written down. */
  final List<LostBy> kept = new ArrayList<>();

  /** How often a runner was let go. */
  int released;

  /** The pods that were put into the cache. */
  final List<Pod> cached = new ArrayList<>();

  final RunnerPassEnvironment environment;
  final RunnerActions actions;

  RunnerFixture(RunnerObjects objects, RunnerRemover remover, RunnerConnections connections) {
    var calls = new ServiceCalls(all, Runnable::run, woken -> {});
    environment =
        new RunnerPassEnvironment(
            objects,
            new BlackBox(objects, runner -> List.of(), clock),
            calls,
            (about, reason, message) -> {
              reasons.add(reason.word());
              events.add(reason.word() + ": " + message);
            },
            meters,
            clock,
            (runner, status, cause) -> kept.add(cause));
    actions =
        new RunnerActions(
            new RunnerStart(connections, objects),
            remover,
            new RunnerCalls(calls, all),
            new SharedWithSets(
                exits,
                new NewRunners(),
                (namespace, name) -> Optional.empty(),
                set -> {},
                new RunnerVerdicts(all, runner -> {}),
                gate,
                all),
            environment,
            memories);
  }

  /** The same with a service that is not asked for anything. */
  RunnerFixture(RunnerObjects objects) {
    this(
        objects,
        fake(RunnerRemover.class, RunnerFixture::unexpected),
        runner -> fake(ActionsService.class, RunnerFixture::unexpected));
  }

  static Object unexpected(String method, Object[] arguments) {
    throw new AssertionError("not expected: " + method);
  }

  static <T> T fake(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName(), arguments)));
  }

  /** Decides as the runner is observed, carries it out, and returns when the next pass is due. */
  RequeueTime act(ObservedRunner observed) {
    var decision = RunnerLifecycle.decide(observed);
    var requeue = decision.requeue();
    for (var action : decision.actions()) {
      requeue = requeue.or(actions.apply(action, observed, this).orElseThrow());
    }
    return requeue;
  }

  /** The same by the clock and what is remembered; the cache shows no pod. */
  RequeueTime actWithoutPodInCache(RunnerSituation situation) {
    var memory = memories.of(UID);
    var seen = situation.memory(memory).observed();
    var now = clock.instant();
    return act(
        new ObservedRunner(
            seen.runner(), memory.podReadLive(now), seen.set(), memory, null, id -> false, now));
  }

  @Override
  public Optional<Pod> podNamed(EphemeralRunner runner) {
    return Optional.empty();
  }

  @Override
  public WriteCache writes() {
    return this;
  }

  @Override
  public void removeFinalizer(EphemeralRunner runner) {
    released++;
  }

  @Override
  public void created(HasMetadata seen) {
    if (seen instanceof Pod pod) {
      cached.add(pod);
    }
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    // the situations show what is cached
  }
}
