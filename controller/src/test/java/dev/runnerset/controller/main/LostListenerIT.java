package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A listener process that dies leaves its objects as they are, and the set tells it (SF10). */
final class LostListenerIT {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration TOLD = LEASE.plusSeconds(10);

  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  @Test
  void aHolderThatDiesIsReportedSoonAfterItsLeaseEndsAndHealsWithTheNext() {
    world.create("linux");
    await("a listener object").until(() -> world.listener("linux").isPresent());
    world.lease("dead", LEASE);
    world.listenerConnects("linux", "dead");
    await("it is connected, before its lease ends")
        .until(() ->
            world
                .condition("linux", "ListenerReady")
                .filter(condition -> condition.getReason().equals("Connected"))
                .isPresent());
    world
        .within(TOLD, "the dead holder is reported")
        .until(() ->
            world
                .condition("linux", "ListenerReady")
                .orElseThrow()
                .getReason()
                .equals("HolderLost"));
    var reported = world.condition("linux", "ListenerReady").orElseThrow();
    assertThat(reported.getMessage()).contains("dead", "lease-of-dead");
    world.awaitCondition("linux", "Ready", "False", "HolderLost");

    world.lease("dead", Duration.ofSeconds(600)); // it was only paused
    world.awaitCondition("linux", "ListenerReady", "True", "Connected");
    world.lease("next", Duration.ofHours(1));
    world.listenerConnects("linux", "next");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  @Test
  void aHolderIsLostThatNeverHadALease() {
    world.create("linux");
    world.listenerConnects("linux", "nobody");
    world
        .within(Duration.ofSeconds(20))
        .until(() ->
            world
                .condition("linux", "ListenerReady")
                .filter(c -> "HolderLost".equals(c.getReason()))
                .isPresent());
  }
}
