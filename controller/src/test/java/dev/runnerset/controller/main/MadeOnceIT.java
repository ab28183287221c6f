package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Objects;
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
}
