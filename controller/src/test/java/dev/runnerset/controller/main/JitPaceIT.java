package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.simulator.service.FaultPlan;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole controller at a service that allows 5 JIT configs a second (CN3), in real time. */
@Tag("nightly")
class JitPaceIT {
  private static final int RUNNERS = 300;
  private static final int PER_SECOND = 5;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  @ParameterizedTest(name = "Retry-After {0}")
  @ValueSource(ints = {0, 1})
  void cn3ABurstGoesAtThePaceOfTheService(int retryAfter) {
    world.start();
    world.create("linux", "maxRunners: " + RUNNERS);
    world.awaitCondition("linux", "Registered", "True", "Registered");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    world.control.faults(FaultPlan.NONE.withJitConfigsPerSecond(PER_SECOND, retryAfter));
    var begin = System.nanoTime();
    world.demand("linux", RUNNERS, 1);
    await().atMost(Duration.ofMinutes(3)).until(() -> world.control.runners().size() == RUNNERS);
    double took = (System.nanoTime() - begin) / 1e9;
    long refused = world.control.counters().getOrDefault("generatejitconfig.fault", 0L);
    System.out.printf("%d runners in %.1f s, %d refused%n", RUNNERS, took, refused);
    assertThat(refused).isLessThanOrEqualTo(10);
    assertThat(took).isLessThanOrEqualTo(1.15 * RUNNERS / PER_SECOND);
  }
}
