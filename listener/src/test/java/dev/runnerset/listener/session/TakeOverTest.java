package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.session.FakeWorld.listener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListenerSpecBuilder;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process does before it listens for a set, and when another one does (SF2, SF3, SF4). */
final class TakeOverTest {
  private final FakeWorld world = new FakeWorld();

  @Test
  void takesTheFenceThenTheSessionThenTellsWhoseItIsThenPolls() {
    world.epoch = 4;
    world.messageId = 17;
    world.service.atStart = counts("a3");
    world.service.open = "old";
    world.status =
        AutoScalingListenerStatusBuilder.builder()
            .holder("dead")
            .epoch(4L)
            .sessionId("old")
            .build();
    world.run(1);
    assertThat(world.events)
        .containsExactly(
            "read epoch 4",
            "epoch 5",
            "connect",
            "delete old",
            "open s1",
            "status s1 [Connected=SessionOpen]",
            "demand 3@17",
            "poll 0 capacity 10",
            "cancel",
            "close s1",
            "status null [Connected=Stopped]");
  }

  @Test
  void anEpochRaisedInBetweenIsReadAgain() {
    world.refuse("raiseEpoch", Kind.STALE);
    world.run(1);
    assertThat(world.events)
        .startsWith("read epoch 0", "raiseEpoch: STALE", "read epoch 0", "epoch 1", "connect");
  }

  /** As by a missing role, an admission policy (422), a webhook that fails (500). */
  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Kind.class,
      names = {"FORBIDDEN", "TEST_FAILED", "UNAVAILABLE"})
  void aRefusedTakeOverIsTriedAgainBeforeTheServiceIsCalled(Kind kind) {
    world.refuse("raiseEpoch", kind);
    world.run(30);
    assertThat(world.events)
        .startsWith("read epoch 0", "raiseEpoch: " + kind, "read epoch 0", "epoch 1", "connect")
        .contains("status s1 [Connected=SessionOpen]");
  }

  @Test
  void nothingIsTakenWithoutAFreshRenewalOfTheLease() {
    world.renewing = false;
    world.renewedAt = world.clock.instant().minusSeconds(8);
    world.at(5, () -> assertThat(world.events).isEmpty());
    world.at(5, () -> world.renewedAt = world.clock.instant());
    world.run(6);
    assertThat(world.events).startsWith("read epoch 0", "epoch 1");
  }

  @Test
  void whoWasPausedOpensNoSessionUntilTheLeaseIsRenewed() {
    world.started(() -> {
      world.renewing = false;
      world.renewedAt = world.clock.instant().minusSeconds(8);
      world.answer(FakeService.lost());
    });
    world.at(15, () -> assertThat(world.takeEvents()).noneMatch(e -> e.startsWith("delete")));
    world.at(15, () -> world.renewedAt = world.clock.instant());
    world.run(17);
    assertThat(world.events).startsWith("delete s1", "open s2");
  }

  @Test
  void whoLostTheFenceTouchesNothingUntilTheLeaseIsRenewedAgain() {
    world.started(() -> {
      world.epoch = 9;
      world.renewing = false;
      world.renewedAt = world.clock.instant();
      world.service.say(message("5: a1; assigned j1"));
    });
    world.at(
        4,
        () ->
            assertThat(world.takeEvents()).containsExactly("demand: test failed", "read epoch 9"));
    world.at(4, () -> world.renewedAt = world.clock.instant());
    world.run(5);
    assertThat(world.events).startsWith("read epoch 9", "epoch 10");
    assertThat(world.counted(ListenerMeter.LOOPS_RESTARTED, "fenced")).isEqualTo(1);
  }

  @Test
  void whoLostTheLeaseTouchesNothing() {
    world.started(() -> {});
    world.run(2, StopReason.LEASE_LOST);
    assertThat(world.events).containsExactly("cancel");
    assertThat(world.service.open).isEqualTo("s1");
  }

  @Test
  void forASetObjectOfAnotherUidTheDemandIsWrittenAgainWithTheSessionKept() {
    world.started(() -> world.service.say(message("5: a1; assigned j1")));
    world.at(9, () -> assertThat(world.takeEvents()).contains("demand 1@5", "ack 5"));
    world.at(9, () -> world.renewedAt = world.clock.instant());
    world.at(9, () -> world.seen(listener("u2", 10, false)));
    world.run(11);
    assertThat(world.events)
        .containsSubsequence("epoch 2", "demand 1@5", "poll 5 capacity 10")
        .noneMatch(e -> e.startsWith("open"));
  }

  /** Ids of messages begin again with a scale set: those kept would release runners too soon. */
  @Test
  void anotherScaleSetBeginsWithItsOwnMessageIds() {
    world.started(() -> world.service.say(message("450: a1; completed j1 on r1")));
    world.at(2, () -> assertThat(world.takeEvents()).contains("demand 1@450"));
    world.at(2, () -> world.seen(otherScaleSet(world.listener, 2)));
    world.at(4, () -> world.service.say(message("3: a2; completed j9 on r9")));
    world.run(6);
    assertThat(world.events).containsSubsequence("demand 0@0", "demand 2@3", "done r9", "ack 3");
    assertThat(world.messageScaleSet).isEqualTo(2);
  }

  @Test
  void theMessageIdOfAnotherScaleSetIsNotTakenOver() {
    world.messageId = 450;
    world.messageScaleSet = 7;
    world.run(1);
    assertThat(world.events).contains("demand 0@0");
    assertThat(world.messageScaleSet).isEqualTo(1);
  }

  @Test
  void theMessageIdOfTheSameScaleSetIsTakenOver() {
    world.messageId = 450;
    world.messageScaleSet = 1;
    world.run(1);
    assertThat(world.events).contains("demand 0@450");
  }

  private static ListenerSnapshot otherScaleSet(ListenerSnapshot from, int id) {
    var spec = from.spec();
    return new ListenerSnapshot(
        from.namespace(),
        from.name(),
        from.uid(),
        from.generation() + 1,
        AutoScalingListenerSpecBuilder.builder(spec).scaleSetId(id).build(),
        false);
  }
}
