package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.session.FakeWorld.listener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import org.junit.jupiter.api.Test;

/** How a loop ends, and how one that dies begins again (SF1). */
final class SessionLoopTest {
  private final FakeWorld world = new FakeWorld();

  @Test
  void aLoopThatDiesIsStartedAgainAndSaysSo() {
    world.started(() -> {
      world.deadly = 1;
      world.service.say(message("5: a1; started j1 on r1"));
      world.at(1.01, () -> world.deadly = 0);
    });
    world.run(9);
    assertThat(world.events)
        .containsSubsequence(
            "dies in demand",
            "epoch 2",
            "status s1 [Connected=ListenerFailed]",
            "connect",
            "delete s1",
            "open s2",
            "status s2 [Connected=SessionOpen]",
            "start r1",
            "ack 5");
    assertThat(world.counted(ListenerMeter.LOOPS_RESTARTED, "died")).isEqualTo(1);
  }

  @Test
  void aLoopThatAlwaysDiesIsStartedEverLessOften() {
    world.deadly = 1;
    world.run(600);
    assertThat(world.deaths).isBetween(30, 60);
  }

  @Test
  void aDeletedListenerObjectEndsTheSessionAndTheLoop() {
    world.started(() -> world.seen(listener("u1", 10, true)));
    new LastingLoop(world.context(), world.listener, false).run();
    assertThat(world.events)
        .containsExactly("cancel", "close s1", "status null [Connected=Deleted]");
  }

  @Test
  void aSessionLeftBehindOfADeletedListenerObjectIsEndedToo() {
    world.status =
        AutoScalingListenerStatusBuilder.builder()
            .holder("dead")
            .epoch(4L)
            .sessionId("old")
            .build();
    world.seen(listener("u1", 10, true));
    new LastingLoop(world.context(), world.listener, false).run();
    assertThat(world.events).endsWith("delete old", "status null [Connected=Deleted]");
  }

  @Test
  void aShutdownFinishesTheMessageInHand() {
    world.refuse("mark r1", Kind.UNAVAILABLE);
    world.started(() -> {
      world.service.say(message("5: a1; started j1 on r1"));
      world.at(1.01, () -> world.desire(new Stop(StopReason.SHUTDOWN)));
    });
    new LastingLoop(world.context(), world.listener, false).run();
    assertThat(world.events).containsSubsequence("start r1", "ack 5", "close s1");
  }
}
