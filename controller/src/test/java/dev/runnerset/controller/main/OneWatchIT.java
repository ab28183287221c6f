package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A controller has one cache of each of its kinds, so each change is sent to it once (ADR 68). */
class OneWatchIT {
  /** The client asks for a web socket first, which this server refuses. */
  private static final long ASKED_FOR_ONE_WATCH = 2;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  /** Watches by kind, of the kinds whose watch has begun. */
  private Map<String, Long> watches() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().writer().equals(ControllerWorld.WRITER))
        .filter(e -> e.getKey().verb().equals("watch"))
        .filter(e -> e.getKey().resource().endsWith(".runnerset.dev"))
        .collect(Collectors.toMap(e -> e.getKey().resource(), Map.Entry::getValue, Long::sum));
  }

  @Test
  void eachKindIsWatchedOnce() {
    world.startController();
    await().until(() -> watches().size() == 4);
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.create("linux", "minRunners: 2");
    world.listenerConnects("linux");
    await().until(() -> world.runners().size() == 2);
    assertThat(watches())
        .containsOnly(
            Map.entry("autoscalingrunnersets.runnerset.dev", ASKED_FOR_ONE_WATCH),
            Map.entry("ephemeralrunnersets.runnerset.dev", ASKED_FOR_ONE_WATCH),
            Map.entry("ephemeralrunners.runnerset.dev", ASKED_FOR_ONE_WATCH),
            Map.entry("autoscalinglisteners.runnerset.dev", ASKED_FOR_ONE_WATCH));
  }
}
