package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.session.FakeWorld.details;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.FakeService.SessionFaults;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How a session is opened, again after it was lost, and beside one that is in the way (SF5). */
final class OpeningTest {
  private final FakeWorld world = new FakeWorld();

  /** It is still open at the service: without its deletion the next would conflict with it. */
  @Test
  void aLostSessionIsDeletedAndOpenedAgain() {
    world.started(() -> world.answer(FakeService.lost()));
    world.run(4);
    assertThat(world.events)
        .containsSubsequence(
            "status s1 [Connected=SessionLost]",
            "delete s1",
            "open s2",
            "status s2 [Connected=SessionLost]", // until a poll stands
            "demand 0@0",
            "poll 0 capacity 10")
        .doesNotContain("connect", "conflict");
    assertThat(world.deafSeconds).isLessThan(5);
  }

  @Test
  void aLostSessionThatCannotBeDeletedIsDeletedBeforeTheNextTry() {
    world.started(() -> {
      world.service.failures.add(new ServiceError.Unavailable(details(503), null));
      world.answer(FakeService.lost());
    });
    world.run(9);
    assertThat(world.events)
        .containsSubsequence("Unavailable", "conflict", "delete s1", "open s2")
        .contains("status s1 [Connected=SessionConflict]");
    assertThat(world.deafSeconds).isLessThan(5);
  }

  @Test
  void aSessionWithoutAQueueIsDeletedAndAnotherIsOpenedSoon() {
    world.started(() -> {
      world.service.faults = new SessionFaults(0, 0, 1, 0, 0, 0);
      world.answer(FakeService.lost());
    });
    world.at(4.5, () -> world.service.faults = SessionFaults.NONE);
    world.run(9);
    assertThat(world.events)
        .containsSubsequence(
            "open s2 unusable",
            "delete s2",
            "status null [Connected=SessionUnusable]",
            "open s3 unusable",
            "delete s3",
            "poll 0 capacity 10")
        .doesNotContain("conflict");
    assertThat(world.counted(ListenerMeter.SESSIONS, "unusable")).isEqualTo(2);
  }

  /** Each call that nobody answers takes 20 s (protocol 5.2): the second is not waited for. */
  @Test
  void aServiceWithoutAnswersIsReportedOfBeforeASessionIsOpened() {
    world.status =
        AutoScalingListenerStatusBuilder.builder()
            .holder("dead")
            .epoch(4L)
            .sessionId("old")
            .build();
    world.service.silent = Duration.ofSeconds(20);
    world.run(50);
    assertThat(world.events)
        .filteredOn(e -> e.equals("no answer") || e.startsWith("status"))
        .startsWith("no answer", "status old [Connected=Unavailable]", "no answer")
        .containsOnlyOnce("status old [Connected=Unavailable]");
  }

  @Test
  void aSessionThatCannotBeClosedForOtherSettingsIsReportedOfAtOnce() {
    world.started(() -> {
      world.service.silent = Duration.ofSeconds(20);
      world.seen(FakeWorld.otherUrl(world.listener));
    });
    world.run(70);
    assertThat(world.events)
        .filteredOn(e -> e.equals("no answer") || e.startsWith("status"))
        .startsWith("no answer", "status s1 [Connected=Unavailable]", "no answer");
  }

  @Test
  void aSessionThatCouldNotBeClosedStaysNamedForTheNextHolder() {
    world.started(() -> world.service.faults = new SessionFaults(0, 0, 0, 0, 0, 1));
    world.run(2);
    assertThat(world.events).endsWith("close s1 fails", "status s1 [Connected=Stopped]");
  }

  /** Whose session it is that is in the way, as far as can be known. */
  static Stream<Arguments> conflicts() {
    var formerly = AutoScalingListenerStatusBuilder.builder().holder("dead").epoch(4L).build();
    return Stream.of(
        Arguments.of(
            "nobody held it before", AutoScalingListenerStatus.NONE, "", "another listener"),
        Arguments.of("a former holder may have", formerly, "", "may be our own"),
        Arguments.of(
            "a stranger is named",
            formerly,
            "The runner scale set x already has an active session for owner other-1.",
            "another listener (other-1)"),
        Arguments.of(
            "the former holder is named",
            formerly,
            "The runner scale set x already has an active session for owner dead.",
            "may be our own"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("conflicts")
  void theConditionSaysWhoseTheOtherSessionIs(
      String name, AutoScalingListenerStatus there, String words, String message) {
    world.status = there;
    world.service.open = "x";
    world.service.conflictWords = words;
    world.at(5, () -> assertThat(world.condition("Connected").getMessage()).contains(message));
    world.run(6);
  }

  @Test
  void anOpeningWhoseAnswerIsLostMayBeOurOwnUntilTheServiceForgetsIt() {
    world.started(() -> {
      world.service.faults = new SessionFaults(0, 0, 0, 0, 1, 0);
      world.answer(FakeService.lost());
    });
    world.at(3, () -> world.service.faults = SessionFaults.NONE);
    world.at(
        20, () -> assertThat(world.condition("Connected").getMessage()).contains("may be our own"));
    world.run(120);
    assertThat(world.events).contains("conflict", "open s3");
  }

  @Test
  void aConflictIsWaitedOut() {
    world.service.open = "another's";
    world.at(60, () -> world.service.open = "");
    world.run(70);
    assertThat(world.events).contains("status null [Connected=SessionConflict]", "open s1");
    assertThat(world.events).filteredOn("conflict"::equals).hasSizeBetween(9, 16);
    assertThat(world.events).filteredOn(e -> e.startsWith("status null [Connected=S")).hasSize(2);
  }

  @Test
  void failuresAreTriedWithGrowingPausesAndOneCondition() {
    for (int i = 0; i < 5; i++) {
      world.service.failures.add(new ServiceError.Unavailable(details(500), null));
    }
    world.at(
        3, () -> assertThat(world.events).filteredOn("Unavailable"::equals).hasSizeBetween(2, 3));
    world.run(60);
    assertThat(world.events)
        .filteredOn(e -> e.startsWith("status"))
        .containsExactly(
            "status null [Connected=Unavailable]",
            "status s1 [Connected=SessionOpen]",
            "status null [Connected=Stopped]");
  }

  /** NM5: the server was restored, and gave the id to somebody else. */
  @Test
  void noSessionIsOpenedOnAScaleSetOfSomebodyElse() {
    world.seen(FakeWorld.knowing(world.listener, ScaleSetIdentity.of(1, "mine", 1, null)));
    world.run(30);
    assertThat(world.events)
        .contains("read scale set", "status null [Connected=ScaleSetNotOurs]")
        .noneMatch(event -> event.startsWith("open") || event.startsWith("delete"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      quoteCharacter = '"',
      value = {"mine, and the set had 'mine':", ", and the set had another one:"})
  void theConditionSaysWhichScaleSetTheSetHad(@Nullable String name, String words) {
    var identity = new ScaleSetIdentity(1, null, name, 1, null, null);
    world.seen(FakeWorld.knowing(world.listener, identity));
    world.at(5, () -> assertThat(world.condition("Connected").getMessage()).contains(words));
    world.run(6);
  }

  @Test
  void theScaleSetIsLookedAtBeforeItsSessionIsOpened() {
    world.seen(FakeWorld.knowing(world.listener, ScaleSetIdentity.of(1, "Linux", 1, null)));
    world.run(3);
    assertThat(world.events).containsSubsequence("read scale set", "open s1");
  }

  /** What an older controller left there is about another id. */
  @Test
  void anIdentityOfAnotherIdSaysNothing() {
    world.seen(FakeWorld.knowing(world.listener, ScaleSetIdentity.of(7, "mine", 1, null)));
    world.run(3);
    assertThat(world.events).contains("open s1").doesNotContain("read scale set");
  }
}
