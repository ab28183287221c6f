package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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

  @Test
  void aSetAtItsQuotaIsReadyAndOneRunnerTriesForAllThatWait() throws InterruptedException {
    world.start();
    world.create("linux", "minRunners: 0", "maxRunners: 100");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    quotaOfOnePod();
    world.demand("linux", 2, 7);
    world.awaitCondition("linux", "CapacityLimited", "True", "Quota");
    world.demand("linux", JOBS, 8);
    world.soon("all are there").until(() -> world.runners().size() == JOBS);
    for (int i = 0; i < 6; i++) {
      world.passInRounds(Duration.ofSeconds(5));
    }
    world.awaitCondition("linux", "RunnersPending", "True", "Quota");
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
