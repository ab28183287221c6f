package dev.runnerset.controller.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerStatus;
import dev.runnerset.service.ActionsService;
import dev.runnerset.service.RunnerId;
import dev.runnerset.service.RunnerReference;
import dev.runnerset.service.ScaleSetId;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Crashes, lost answers and refusals at every step of the start and of the finaliser: at most one
 * pod start a JIT config (I6), no registration left and none of another scale set touched (I5).
 */
final class RunnerStartCrashTest {
  private Instant now = Scene.NOW;

  static LongStream seeds() {
    var only = Long.getLong("seed");
    return only != null ? LongStream.of(only) : LongStream.range(0, 1000);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void startsOncePerConfigAndLeavesNothingBehind(long seed) {
    var random = new Random(seed);
    var runner = new Scene().situation().runner();
    var world = new CrashWorld(random, runner, random.nextInt(8));
    var foreign = random.nextInt(10) == 0;
    if (foreign) {
      world.registerForeign(runner.getMetadata().getName());
    }
    var cutShort = !foreign && random.nextInt(3) == 0; // deleted while it starts
    live(world, runner, random, cutShort ? random.nextInt(12) : 60);

    assertThat(world.violations).isEmpty();
    assertThat(new HashSet<>(world.configsStarted)).hasSameSizeAs(world.configsStarted);
    if (foreign) {
      assertThat(world.deleted).isTrue();
      assertThat(world.registrations).containsOnlyKeys(1L);
      return;
    }
    if (!cutShort) {
      assertThat(world.configsStarted).hasSize(1);
    }
    end(world, runner, random);
    assertThat(world.violations).isEmpty();
    assertThat(world.registrations).isEmpty();
  }

  /** Some looks at the runner; in the last third nothing fails any more. */
  private void live(CrashWorld world, EphemeralRunner runner, Random random, int steps) {
    var process = new Process(world, runner);
    for (int step = 0; step < steps; step++) {
      if (step == 40) {
        world.noMoreFaults();
      }
      try {
        process.reconcile();
      } catch (CrashWorld.Crash e) {
        world.restart();
        process = new Process(world, runner);
      } catch (KubernetesClientException e) {
        // the framework calls again
      }
      if (random.nextInt(3) == 0 || step > 50) {
        world.kubelet();
      }
      now = now.plusSeconds(random.nextInt(70));
    }
  }

  private void end(CrashWorld world, EphemeralRunner runner, Random random) {
    var process = new Process(world, runner);
    for (int step = 0; step < 200; step++) {
      try {
        if (process.cleanup()) {
          return;
        }
      } catch (CrashWorld.Crash e) {
        world.restart();
        process = new Process(world, runner);
      }
      now = now.plusSeconds(random.nextInt(70));
    }
    world.violations.add("the finaliser never let go");
  }

  /** One life of the controller, as far as it concerns one runner. */
  private final class Process implements RunnerActions.Caches {
    private final Attempts attempts = new Attempts();
    private final CrashWorld world;
    private final EphemeralRunner runner;
    private final RunnerActions actions;
    private final RunnerFarewell farewell;
    private @Nullable Pod cached;

    Process(CrashWorld world, EphemeralRunner runner) {
      this.world = world;
      this.runner = runner;
      this.cached = world.pod; // the cache is in step when a process begins
      var clock = new Ticking();
      var service = service(world);
      var start = new RunnerStart(key -> service, world, new LeftOvers(world));
      this.actions =
          new RunnerActions(
              start,
              world,
              world,
              new RunnerExits(),
              (namespace, name) -> {},
              (about, reason, message) -> {},
              attempts,
              clock);
      this.farewell =
          new RunnerFarewell(
              actions, key -> service, (about, reason, message) -> {}, attempts, clock);
    }

    void reconcile() {
      if (world.deleted) {
        return;
      }
      var s = gather();
      for (var action : RunnerLifecycle.decide(s).actions()) {
        actions.apply(action, s, this);
      }
    }

    boolean cleanup() {
      return farewell.apply(gather()).isEmpty();
    }

    private Situation gather() {
      runner.setStatus(world.status == null ? EphemeralRunnerStatus.NONE : world.status);
      var uid = runner.getMetadata().getUid();
      return new Situation(
          runner,
          cached == null ? null : PodView.of(cached),
          Scene.set("r1", 3, "set-uid"),
          attempts.of(uid),
          null,
          world.isRemoved(uid),
          now);
    }

    @Override
    public void podSeen(Pod pod) {
      cached = pod;
    }

    @Override
    public void runnerSeen(EphemeralRunner stored) {
      // read from the world each time
    }
  }

  private final class Ticking extends Clock {
    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public java.time.ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }
  }

  /** Only what a start may call: anything else is an error. */
  private static ActionsService service(CrashWorld world) {
    return (ActionsService)
        Proxy.newProxyInstance(
            ActionsService.class.getClassLoader(),
            new Class<?>[] {ActionsService.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "generateJitConfig" ->
                      world.register((ScaleSetId) arguments[0], (String) arguments[1]);
                  case "runnerNamed" -> world.named((String) arguments[0]);
                  case "runner" ->
                      Optional.<RunnerReference>ofNullable(
                          world.registrations.get(((RunnerId) arguments[0]).value()));
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
