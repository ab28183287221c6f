package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.start.QuotaTurns;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Row 10: a namespace at its quota is like a set at maxRunners, and spends no JIT configs. */
final class FullQuotaIT {
  private static final int JOBS = 20;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private void quotaOfOnePod() {
    world
        .kube
        .resource(
            """
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: few, namespace: default}
            spec: {hard: {pods: "1"}}
            """)
        .create();
  }

  private long jitConfigs() {
    return world.control.counters().getOrDefault("generatejitconfig", 0L);
  }

  private int pods() {
    return world.kube.pods().inNamespace("default").list().getItems().size();
  }

  /** The clock waits for the runner that tries: one that does not come back loses its turn. */
  private void passUntilItTriesAgain() {
    long before = refusals();
    world.clock.pass(QuotaTurns.TRIES_AGAIN);
    Awaitility.await("it tries again").until(() -> refusals() > before);
  }

  /** Without jumps of the clock, for the same reason: 15 s ahead of the runner are enough. */
  private void awaitQuota(String type) {
    Awaitility.await(type)
        .untilAsserted(() ->
            assertThat(world.condition("linux", type).map(c -> c.getStatus() + " " + c.getReason()))
                .contains("True Quota"));
  }

  private long refusals() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(each -> each.getKey().verb().equals("create"))
        .filter(each -> each.getKey().resource().equals("pods"))
        .filter(each -> each.getKey().code() == 403)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void aSetAtItsQuotaIsReadyAndOneRunnerTriesForAllThatWait() throws InterruptedException {
    world.start();
    world.create("linux", "minRunners: 0", "maxRunners: 100");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    quotaOfOnePod();
    world.demand("linux", 2, 7);
    awaitQuota("CapacityLimited");
    passUntilItTriesAgain();
    world.demand("linux", JOBS, 8);
    Awaitility.await("all are there").until(() -> world.runners().size() == JOBS);
    for (int i = 0; i < 6; i++) {
      passUntilItTriesAgain();
    }
    awaitQuota("RunnersPending");
    assertThat(pods()).isEqualTo(1);
    assertThat(jitConfigs()).as("that of the pod, and that of the runner that tries").isEqualTo(2);
    var ready = world.condition("linux", "Ready").orElseThrow();
    assertThat(ready.getStatus() + " " + ready.getReason()).isEqualTo("True Ready");
    assertThat(ready.getMessage()).contains("20 jobs wait", "exceeded quota");
    assertThat(world.condition("linux", "Stalled")).isEmpty();
    world.kube.resourceQuotas().inNamespace("default").withName("few").delete();
    for (int i = 0; i < 12 && pods() < JOBS; i++) {
      world.passInRounds(Duration.ofSeconds(5));
    }
    world.soon("all have their pods").until(() -> pods() == JOBS);
    assertThat(jitConfigs()).as("one for each").isEqualTo(JOBS);
    world.startNode();
    world.awaitNoCondition("linux", "CapacityLimited");
  }
}
