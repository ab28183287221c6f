package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runners are made once, though the events of the API server come late. */
class MadeOnceIT {
  private static final String RUNNERS = "ephemeralrunners.runnerset.dev";
  private static final int WANTED = 4;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private long made() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().verb().equals("create") && e.getKey().resource().equals(RUNNERS))
        .mapToLong(e -> e.getValue())
        .sum();
  }

  private boolean hasLookedAt(long message) {
    var set = world.runnerSet("linux");
    return set.settledUpTo() == message
        && Objects.equals(
            set.statusOrNone().observedGeneration(), set.getMetadata().getGeneration());
  }

  /** What was made is known from the answer of the API server, not from its event. */
  @Test
  void runnersWhoseEventsAreLateAreNotMadeAgain() {
    world.api.faults().watchLag(RUNNERS, Duration.ofSeconds(20));
    world.start();
    world.create("linux", "minRunners: " + WANTED);
    world.listenerConnects("linux");
    await().atMost(Duration.ofSeconds(15)).until(() -> made() >= WANTED);
    for (long message = 1; message <= 3; message++) {
      var heard = message;
      world.demand("linux", 0, heard);
      await().atMost(Duration.ofSeconds(15)).until(() -> hasLookedAt(heard));
    }
    assertThat(made()).isEqualTo(WANTED);
    assertThat(world.runners()).hasSize(WANTED);
  }

  /** A stop empties the caches: to a pass that read them then, all runners would be gone. */
  @Test
  void aPassUnderWayWhenTheControllerStopsMakesNoRunnerAgain() throws InterruptedException {
    world.start();
    world.create("linux", "minRunners: " + WANTED);
    world.listenerConnects("linux");
    await().until(() -> world.runners().size() == WANTED);
    var stops = Thread.currentThread();
    var begun = new CountDownLatch(1);
    world.beforeEachPass(reconciler -> {
      if (reconciler.equals("ephemeralrunnerset")) {
        begun.countDown();
        await().until(() -> isWaitingForPasses(stops));
      }
    });
    world.runners().forEach(this::changeSomething);
    begun.await();
    world.stopController();
    assertThat(made()).isEqualTo(WANTED);
  }

  private void changeSomething(EphemeralRunner runner) {
    world
        .kube
        .resource(runner)
        .edit(now -> {
          now.getMetadata().getAnnotations().put("example.com/seen", "true");
          return now;
        });
  }

  /** Whether the thread stops a controller, and has come to where it waits for its passes. */
  private static boolean isWaitingForPasses(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .map(StackTraceElement::getClassName)
        .anyMatch(
            name -> name.endsWith(".PassThreads") || name.endsWith(".ExecutorServiceManager"));
  }
}
