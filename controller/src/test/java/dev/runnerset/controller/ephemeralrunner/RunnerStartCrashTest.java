package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Scene;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemoverCluster;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Crashes, lost answers, refusals, late writes and vanishing objects at every step of the start, of
 * removal and of the finalizer, with the real remover: no job is killed by us (I1), at most one pod
 * start a JIT config (I6), no registration left and none of another scale set touched (I5), no name
 * for two registrations, and no runner that is known by another registration than its pod runs.
 */
final class RunnerStartCrashTest {
  private static final int FAULTY = 150;
  private static final int HEALED = 400;

  static LongStream seeds() {
    var only = Long.getLong("seed");
    return only != null ? LongStream.of(only) : LongStream.range(0, Long.getLong("seeds", 3000));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noJobIsKilledAndNothingIsLeftBehind(long seed) {
    var life = new Life(seed);
    life.run();
    assertThat(life.world.violations).isEmpty();
    assertThat(life.world.runners.keySet()).as("resources that never went").isEmpty();
    assertThat(life.world.service.jobsDone).as("jobs done after all faults").isPositive();
    if (!life.world.registrationMayBeLeft) {
      assertThat(life.world.service.ownStatus()).as("registrations left").isEmpty();
    }
  }

  /** One set that wants one runner, from its first fault to its deletion. */
  private static final class Life {
    final CrashWorld world;
    private final Random random;
    private final EphemeralRunnerSet set = Scene.set("r1", 3, "set-uid");
    private final TestClock clock = new TestClock(Scene.NOW);
    private Process process;

    Life(long seed) {
      random = new Random(seed);
      world = new CrashWorld(random, random.nextInt(25));
      if (random.nextInt(10) == 0) {
        world.service.registerForeign("ci-1");
      }
      process = new Process(this);
    }

    void run() {
      for (int step = 0; step < FAULTY; step++) {
        step(true);
      }
      world.noMoreFaults();
      world.service.jobsDone = 0;
      for (int step = 0; step < HEALED && world.service.jobsDone == 0; step++) {
        step(true);
      }
      for (int step = 0;
          step < HEALED && !(world.runners.isEmpty() && world.nothingIsLate());
          step++) {
        step(false);
      }
    }

    private void step(boolean wanted) {
      world.othersAct();
      compare();
      try {
        process.step(wanted);
      } catch (CrashWorld.Crash e) {
        process = new Process(this);
      }
      compare();
      clock.advance(Duration.ofSeconds(random.nextInt(40)));
    }

    /** What a runner is known by is what its container runs. */
    private void compare() {
      for (var runner : world.runners.values()) {
        var known = runner.getStatus().runnerId();
        var runs = world.service.running(runner.getMetadata().getName());
        if (runs != null && known != null && !known.equals(runs)) {
          world.violations.add("known as " + known + ", but its pod runs " + runs);
        }
      }
    }
  }

  /** One life of the controller. */
  private static final class Process implements WriteCache {
    private final RunnerMemories memories = new RunnerMemories();
    private final RunnerExits exits = new RunnerExits();
    private final NewRunners newRunners = new NewRunners();
    private final Map<String, Pod> podCache = new HashMap<>();
    private final Map<String, EphemeralRunner> runnerCache = new HashMap<>();
    private final Life life;
    private final CrashWorld world;
    private final Random random;
    private final ServiceRunnerRemover remover;
    private final RunnerActions actions;
    private final RunnerFinalizer finalizer;

    Process(Life life) {
      this.life = life;
      this.world = life.world;
      this.random = life.random;
      this.remover = RemoverCluster.remover(key -> world.connection(), world, life.clock);
      this.actions =
          new RunnerActions(
              new RunnerStart(key -> world.connection(), world),
              remover,
              exits,
              (namespace, name) -> {},
              new OpenGate(),
              new RunnerActions.Ports(world, this::told, memories, life.clock, new Meters()));
      this.finalizer =
          new RunnerFinalizer(
              actions,
              new RunnerActions.Ports(world, this::told, memories, life.clock, new Meters()));
      refresh(); // a process lists before it looks
    }

    private void told(Object about, Reason reason, String message) {
      if (reason == EventReason.REGISTRATION_MAY_BE_LEFT) {
        world.registrationMayBeLeft = true;
      }
    }

    private void refresh() {
      podCache.clear();
      world.pods.forEach((name, pod) -> {
        if (pod.getMetadata().getLabels().containsKey(Labels.COMPONENT)) {
          podCache.put(name, pod);
        }
      });
      runnerCache.clear();
      runnerCache.putAll(world.runners);
    }

    void step(boolean wanted) {
      if (random.nextInt(4) > 0) {
        refresh(); // else the caches are behind
      }
      for (var runner : List.copyOf(runnerCache.values())) {
        try {
          if (world.runners.containsKey(runner.getMetadata().getName())) {
            look(runner);
          }
        } catch (KubernetesClientException | IllegalStateException e) {
          // the framework calls again
        }
      }
      try {
        keepCount(wanted);
      } catch (KubernetesClientException | IllegalStateException e) {
        // the same
      }
    }

    private void look(EphemeralRunner runner) {
      var observed = gather(runner);
      if (runner.getMetadata().getDeletionTimestamp() != null) {
        if (finalizer.apply(observed, this).isEmpty()) {
          world.removeFinalizer(runner);
          runnerCache.remove(runner.getMetadata().getName());
        }
        return;
      }
      for (var action : RunnerLifecycle.decide(observed).actions()) {
        actions.apply(action, observed, this);
      }
    }

    private ObservedRunner gather(EphemeralRunner runner) {
      var uid = runner.getMetadata().getUid();
      var memory =
          memories.begin(uid, () -> newRunners.take(runner) ? RunnerMemory.NEW : RunnerMemory.NONE);
      var cached = podCache.get(runner.getMetadata().getName());
      var seen =
          cached != null && RunnerPod.isOwnedBy(cached, runner)
              ? PodView.of(cached)
              : memory.podReadLive(life.clock.instant());
      return new ObservedRunner(
          runner,
          seen,
          life.set,
          memory,
          exits.of(uid).orElse(null),
          id -> remover.isRemoved(uid, id),
          life.clock.instant());
    }

    /** As the reconciler of the set: ended ones go, surplus goes by the remover, one is made. */
    private void keepCount(boolean wanted) {
      boolean live = false;
      for (var runner : List.copyOf(runnerCache.values())) {
        var status = runner.getStatus();
        if (runner.getMetadata().getDeletionTimestamp() != null) {
          continue;
        }
        var isOver =
            (status.isTerminal() || exits.of(runner.getMetadata().getUid()).isPresent())
                && status.job() != null
                && status.job().completedIn() != null;
        if (status.phase() == RunnerPhase.FAILED || isOver) {
          world.deleteResource(runner, true);
        } else if (!status.isBusy() && (!wanted || random.nextInt(12) == 0)) {
          remover.removeSurplus(runner, RemovalReason.SCALE_DOWN);
        } else {
          live = true;
        }
      }
      if (wanted && !live && random.nextInt(3) == 0) {
        make();
      }
    }

    private void make() {
      var runner = new EphemeralRunner();
      var template = new Scene().observed().runner();
      runner.setMetadata(
          new ObjectMetaBuilder(template.getMetadata())
              .withName("ci-" + (world.made + 1))
              .withResourceVersion(null)
              .build());
      runner.setSpec(template.getSpec());
      newRunners.making(runner);
      world.mayFail("create runner");
      world.create(runner);
      world.mayFail("create runner");
    }

    @Override
    public void created(HasMetadata pod) {
      if (!pod.getMetadata().getLabels().containsKey(Labels.COMPONENT)) {
        world.violations.add("a pod without the label was put into the cache");
      }
      podCache.put(pod.getMetadata().getName(), (Pod) pod);
    }

    @Override
    public void changed(HasMetadata before, HasMetadata after) {
      runnerCache.put(after.getMetadata().getName(), (EphemeralRunner) after);
    }
  }
}
