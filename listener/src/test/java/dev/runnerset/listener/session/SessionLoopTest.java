package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.session.FakeWorld.details;
import static dev.runnerset.listener.session.FakeWorld.listener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.listener.session.DesiredState.Stop;
import dev.runnerset.listener.session.DesiredState.StopReason;
import dev.runnerset.listener.session.FakeService.SessionFaults;
import dev.runnerset.listener.session.KubeRefusal.Kind;
import dev.runnerset.listener.session.ListenerCounters.Count;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The loop of one session (SF1), in virtual time. */
final class SessionLoopTest {
  private final FakeWorld world = new FakeWorld();

  /** Past the start: what follows is what the test is about. */
  private void started(Runnable then) {
    world.at(
        1,
        () -> {
          world.events.clear();
          then.run();
        });
  }

  @Test
  void takesTheFenceThenTheSessionThenTellsWhoseItIsThenPolls() {
    world.epoch = 4;
    world.messageId = 17;
    world.service.atStart = counts("a3");
    world.service.open = "old";
    world.status = new AutoScalingListenerStatus("dead", 4L, "old", null, List.of());
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
    started(() -> {
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
  void aMessageIsAppliedThenAcknowledgedThenTheNextIsAskedFor() {
    started(() -> world.service.say(message("5: a1 r1; assigned j1, started j1 on r1")));
    world.run(2);
    assertThat(world.events).startsWith("demand 1@5", "start r1", "ack 5", "poll 5 capacity 10");
  }

  @Test
  void aPollWithoutNewsWritesNothing() {
    started(() -> {});
    world.run(200);
    assertThat(world.events.subList(0, 3)).containsOnly("poll 0 capacity 10");
    assertThat(world.events).noneMatch(e -> e.startsWith("demand") || e.startsWith("read"));
  }

  @Test
  void whatCannotBeAppliedIsTriedAgainAndNotAcknowledgedBefore() {
    world.refuse("mark r1", Kind.UNAVAILABLE, Kind.UNAVAILABLE);
    started(() -> world.service.say(message("5: a1; started j1 on r1")));
    world.run(10);
    assertThat(world.events)
        .startsWith(
            "demand 1@5",
            "mark r1: UNAVAILABLE",
            "status s1 [Connected=SessionOpen, MessagesApplied=Unavailable]",
            "mark r1: UNAVAILABLE",
            "start r1",
            "status s1 [Connected=SessionOpen, MessagesApplied=Applied]",
            "ack 5");
  }

  @Test
  void aMissingRoleIsSaidAndTriedSlowly() {
    world.refuse("mark r1", Kind.FORBIDDEN, Kind.FORBIDDEN, Kind.FORBIDDEN);
    started(() -> world.service.say(message("5: a0; started j1 on r1")));
    world.run(44, StopReason.LEASE_LOST);
    assertThat(world.events)
        .filteredOn(e -> e.startsWith("mark") || e.startsWith("start"))
        .as("not more often than every 15 s")
        .containsExactly("mark r1: FORBIDDEN", "mark r1: FORBIDDEN", "mark r1: FORBIDDEN");
    assertThat(world.events)
        .contains("status s1 [Connected=SessionOpen, MessagesApplied=Forbidden]");
  }

  @Test
  void marksOfRunnersThatAreGoneOrForeignAreCountedAndPassedOver() {
    world.refuse("mark r1", Kind.GONE);
    started(() -> world.service.say(message("5: a0; started j1 on r1, started j2 on foreign-1")));
    world.run(2);
    assertThat(world.events).contains("ack 5");
    assertThat(world.counters.of(Count.MARKS_WITHOUT_RUNNER)).isEqualTo(1);
    assertThat(world.counters.of(Count.FOREIGN_MARKS)).isEqualTo(1);
  }

  @Test
  void whoLostTheFenceTouchesNothingUntilTheLeaseIsRenewedAgain() {
    started(() -> {
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
    assertThat(world.counters.of(Count.FENCES_LOST)).isEqualTo(1);
  }

  @Test
  void whoLostTheLeaseTouchesNothing() {
    started(() -> {});
    world.run(2, StopReason.LEASE_LOST);
    assertThat(world.events).containsExactly("cancel");
    assertThat(world.service.open).isEqualTo("s1");
  }

  @Test
  void aSetObjectOfAnotherUidIsWaitedForAndTakenOverWithTheSessionKept() {
    started(() -> {
      world.setUid = "u2";
      world.epoch = 0;
      world.service.say(message("5: a1; assigned j1"));
    });
    world.at(9, () -> assertThat(world.takeEvents()).doesNotContain("ack 5", "epoch 1"));
    world.at(9, () -> world.renewedAt = world.clock.instant());
    world.at(9, () -> world.seen(listener("u2", 10, false)));
    world.run(11);
    assertThat(world.events)
        .containsSubsequence("epoch 2", "demand 0@0", "poll 0 capacity 10", "demand 1@5", "ack 5")
        .noneMatch(e -> e.startsWith("open"));
  }

  /** It is still open at the service: without its deletion the next would conflict with it. */
  @Test
  void aLostSessionIsDeletedAndOpenedAgain() {
    started(() -> world.answer(FakeService.lost()));
    world.run(4);
    assertThat(world.events)
        .containsSubsequence(
            "status s1 [Connected=SessionLost]",
            "delete s1",
            "open s2",
            "status s2 [Connected=SessionOpen]",
            "demand 0@0",
            "poll 0 capacity 10")
        .doesNotContain("connect", "conflict");
    assertThat(world.deafSeconds).isLessThan(5);
  }

  @Test
  void aLostSessionThatCannotBeDeletedIsDeletedBeforeTheNextTry() {
    started(() -> {
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
    started(() -> {
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
    assertThat(world.counters.of(Count.SESSIONS_UNUSABLE)).isEqualTo(2);
  }

  @Test
  void aSessionThatBringsNoStatisticsIsNotTakenForZero() {
    world.service.faults = new SessionFaults(0, 0, 0, 1, 0, 0);
    world.service.ofScaleSet = counts("a2 r2");
    world.run(1);
    assertThat(world.events)
        .containsSubsequence("open s1", "read scale set", "demand 2@0", "poll 0 capacity 10");
  }

  @Test
  void statisticsThatNobodySendsStayUnknown() {
    world.service.faults = new SessionFaults(0, 0, 0, 1, 0, 0);
    started(() -> world.service.say(message("5: a3; assigned j1")));
    world.run(2);
    assertThat(world.events).startsWith("demand 3@5");
  }

  @Test
  void statisticsThatNobodySendsAreReadAgainUntilTheyAreKnown() {
    world.service.faults = new SessionFaults(0, 0, 0, 1, 0, 0);
    world.at(10, () -> world.service.ofScaleSet = counts("a2 r2"));
    world.run(20);
    assertThat(world.events)
        .containsSubsequence("read scale set", "read scale set", "demand 2@0")
        .filteredOn("read scale set"::equals)
        .hasSizeLessThan(6);
  }

  /** Each call that nobody answers takes 20 s (protocol 5.2): the second is not waited for. */
  @Test
  void aServiceWithoutAnswersIsToldOfBeforeASessionIsOpened() {
    world.status = new AutoScalingListenerStatus("dead", 4L, "old", null, List.of());
    world.service.silent = Duration.ofSeconds(20);
    world.run(50);
    assertThat(world.events)
        .filteredOn(e -> e.equals("no answer") || e.startsWith("status"))
        .startsWith("no answer", "status old [Connected=Unavailable]", "no answer")
        .containsOnlyOnce("status old [Connected=Unavailable]");
  }

  @Test
  void aSessionThatCannotBeClosedForOtherSettingsIsToldOfAtOnce() {
    started(() -> {
      world.service.silent = Duration.ofSeconds(20);
      world.seen(otherUrl(world.listener));
    });
    world.run(70);
    assertThat(world.events)
        .filteredOn(e -> e.equals("no answer") || e.startsWith("status"))
        .startsWith("no answer", "status s1 [Connected=Unavailable]", "no answer");
  }

  @Test
  void aSessionThatCouldNotBeClosedStaysNamedForTheNextHolder() {
    started(() -> world.service.faults = new SessionFaults(0, 0, 0, 0, 0, 1));
    world.run(2);
    assertThat(world.events).endsWith("close s1 fails", "status s1 [Connected=Stopped]");
  }

  /** Whose session it is that is in the way, as far as can be known. */
  static Stream<Arguments> conflicts() {
    var formerly = new AutoScalingListenerStatus("dead", 4L, null, null, List.of());
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
    world.at(5, () -> assertThat(connectedMessage()).contains(message));
    world.run(6);
  }

  @Test
  void anOpeningWhoseAnswerIsLostMayBeOurOwnUntilTheServiceForgetsIt() {
    started(() -> {
      world.service.faults = new SessionFaults(0, 0, 0, 0, 1, 0);
      world.answer(FakeService.lost());
    });
    world.at(3, () -> world.service.faults = SessionFaults.NONE);
    world.at(20, () -> assertThat(connectedMessage()).contains("may be our own"));
    world.run(120);
    assertThat(world.events).contains("conflict", "open s3");
  }

  private String connectedMessage() {
    return world.status.conditions().stream()
        .filter(c -> c.getType().equals("Connected"))
        .findFirst()
        .orElseThrow()
        .getMessage();
  }

  /** The queue has one order: a message that stays would hold up all that follow. */
  @Test
  void aMessageThatCannotBeReadIsAskedForThreeTimesThenAcknowledgedAndTold() {
    var odd = new Message(5, counts("a2"), List.of(), List.of("element 1 is not a job message"));
    started(() -> {
      world.service.say(odd);
      world.service.say(message("6: a3; assigned j2"));
    });
    world.at(7, () -> assertThat(appliedReason()).isEqualTo("MessageSkipped"));
    world.at(8, () -> world.service.say(message("7: a4; started j2 on r2")));
    world.at(9, () -> assertThat(appliedReason()).as("told long").isEqualTo("MessageSkipped"));
    world.run(700);
    assertThat(world.events)
        .containsSubsequence(
            "demand 2@5",
            "poll 0 capacity 10",
            "poll 0 capacity 10",
            "ack 5",
            "demand 3@6",
            "ack 6",
            "start r2",
            "ack 7",
            "status s1 [Connected=SessionOpen, MessagesApplied=Applied]");
    assertThat(world.counters.of(Count.MESSAGES_SKIPPED)).isEqualTo(1);
  }

  @Test
  void aMessageThatIsReadAtTheSecondTryIsNotSkipped() {
    var odd = new Message(5, null, List.of(), List.of("the body is not a list of jobs"));
    started(() -> {
      world.service.say(odd);
      world.service.say(message("5: a1; started j1 on r1"));
    });
    world.run(9);
    assertThat(world.events).containsSubsequence("start r1", "ack 5");
    assertThat(world.counters.of(Count.MESSAGES_SKIPPED)).isZero();
  }

  private String appliedReason() {
    return world.status.conditions().stream()
        .filter(c -> c.getType().equals("MessagesApplied"))
        .findFirst()
        .orElseThrow()
        .getReason();
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

  @Test
  void refusedCredentialsAreReadAgain() {
    started(() -> world.answer(new ServiceError.Unauthorized(details(401))));
    world.run(4);
    assertThat(world.events)
        .containsSubsequence(
            "status s1 [Connected=Unauthorized]", "close s1", "connect", "open s2");
  }

  /**
   * What is refused while a session is opened, and while it is polled, and how soon it is mended.
   */
  static Stream<Arguments> refusals() {
    var refused = Duration.ofSeconds(60);
    var aged = Duration.ofSeconds(360);
    return Stream.of(
        Arguments.of("401", new ServiceError.Unauthorized(details(401)), refused),
        Arguments.of("403", new ServiceError.Forbidden(details(403)), refused),
        Arguments.of("404", new ServiceError.NotFound(details(404)), refused),
        Arguments.of("unavailable", new ServiceError.Unavailable(details(500), null), aged),
        Arguments.of("no answer", new ServiceError.Malformed(details(200)), aged));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void goodCredentialsMendWhatOpeningWasRefusedFor(String name, ServiceError e, Duration within) {
    world.service.refuses = access -> access.equals("token") ? e : null;
    world.at(100, () -> world.credentials = "other");
    world.run(100 + within.toSeconds());
    assertThat(world.events).contains("open s1", "poll 0 capacity 10");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void goodCredentialsMendWhatPollingWasRefusedFor(String name, ServiceError e, Duration within) {
    started(() -> world.service.refuses = access -> access.equals("token") ? e : null);
    world.at(100, () -> world.credentials = "other");
    world.run(100 + within.toSeconds());
    assertThat(world.events).containsSubsequence("connect", "open s2", "poll 0 capacity 10");
  }

  @Test
  void aLastingRefusalOfTheSameCredentialsKeepsTheSession() {
    started(() -> world.service.refuses = access -> new ServiceError.Forbidden(details(403)));
    world.run(1000);
    assertThat(world.events).doesNotContain("connect").filteredOn("close s1"::equals).hasSize(1);
  }

  /** Ids of messages begin anew with a scale set: those kept would release runners too soon. */
  @Test
  void anotherScaleSetBeginsWithItsOwnMessageIds() {
    started(() -> world.service.say(message("450: a1; completed j1 on r1")));
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
        new AutoScalingListenerSpec(
            spec.runnerSet(),
            spec.githubConfigUrl(),
            spec.githubConfigSecret(),
            id,
            spec.capacity(),
            spec.proxy(),
            spec.githubServerTLS(),
            spec.mode()),
        false);
  }

  /** The controller tells by it a session from one of settings that are no more. */
  @Test
  void theStatusSaysWithWhichConnectionItsSessionWasOpened() {
    var first = world.listener.connection().hash();
    started(() -> assertThat(world.status.connection()).isEqualTo(first));
    world.at(2, () -> world.seen(FakeWorld.listener("u1", 20, false)));
    world.at(3, () -> assertThat(world.status.connection()).as("capacity").isEqualTo(first));
    world.at(4, () -> world.service.open = "another's");
    world.at(4, () -> world.seen(otherUrl(world.listener)));
    world.at(5, () -> assertThat(world.status.connection()).as("not yet open").isEqualTo(first));
    world.at(6, () -> world.service.open = "");
    world.run(20);
    assertThat(world.status.connection()).isEqualTo(otherUrl(world.listener).connection().hash());
    assertThat(world.status.connection()).isNotEqualTo(first);
  }

  private static ListenerSnapshot otherUrl(ListenerSnapshot from) {
    var spec = from.spec();
    return new ListenerSnapshot(
        from.namespace(),
        from.name(),
        from.uid(),
        from.generation() + 1,
        new AutoScalingListenerSpec(
            spec.runnerSet(),
            "https://github.com/other",
            spec.githubConfigSecret(),
            spec.scaleSetId(),
            spec.capacity(),
            spec.proxy(),
            spec.githubServerTLS(),
            spec.mode()),
        false);
  }

  @Test
  void missingCredentialsAreACondition() {
    world.credentials = "";
    world.at(10, () -> world.credentials = "token");
    world.run(30);
    assertThat(world.events)
        .containsSubsequence("status null [Connected=SecretNotFound]", "connect", "open s1");
  }

  @Test
  void changedCredentialsAreNoticedInFiveMinutesAndUsedBetweenPolls() {
    started(() -> world.credentials = "other");
    world.at(299, () -> assertThat(world.events).doesNotContain("connect"));
    world.run(360);
    assertThat(world.events)
        .containsSubsequence("close s1", "connect", "open s2")
        .filteredOn("cancel"::equals)
        .hasSizeLessThan(2);
  }

  @Test
  void anotherCapacityIsOfferedAtOnce() {
    started(() -> world.seen(listener("u1", 20, false)));
    world.run(2);
    assertThat(world.events).startsWith("cancel", "poll 0 capacity 20");
  }

  @Test
  void aPollThatDoesNotAnswerIsGivenUpAndCounted() {
    started(() -> world.service.deaf = true);
    world.at(60, () -> world.events.clear());
    world.run(240);
    assertThat(world.counters.of(Count.POLLS_TIMED_OUT)).isEqualTo(1);
    assertThat(world.events)
        .startsWith("cancel", "status s1 [Connected=Unavailable]", "poll 0 capacity 10");
  }

  @Test
  void anAcknowledgementThatFailsIsMadeUpForBeforeTheNextPoll() {
    started(() -> {
      world.service.failures.add(new ServiceError.Unavailable(details(500), null));
      world.service.say(message("5: a1; assigned j1"));
    });
    world.run(4);
    assertThat(world.events)
        .containsSubsequence("demand 1@5", "Unavailable", "ack 5", "poll 5 capacity 10");
  }

  @Test
  void doubtedZerosEndWithTheScaleSetRead() {
    world.service.atStart = counts("a1");
    world.service.ofScaleSet = counts("a2 r2");
    started(() -> world.service.say(message("5: a0; assigned j1")));
    world.at(60.5, () -> assertThat(world.events).noneMatch(e -> e.startsWith("demand")));
    world.run(62);
    assertThat(world.events).containsSubsequence("ack 5", "read scale set", "demand 2@5");
  }

  @Test
  void aLoopThatDiesIsStartedAgainAndSaysSo() {
    started(() -> {
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
    assertThat(world.counters.of(Count.LOOPS_DIED)).isEqualTo(1);
  }

  @Test
  void aLoopThatAlwaysDiesIsStartedEverLessOften() {
    world.deadly = 1;
    world.run(600);
    assertThat(world.deaths).isBetween(10, 25);
  }

  @Test
  void aDeletedListenerObjectEndsTheSessionAndTheLoop() {
    started(() -> world.seen(listener("u1", 10, true)));
    new LastingLoop(world.context(), world.listener).run();
    assertThat(world.events)
        .containsExactly("cancel", "close s1", "status null [Connected=Deleted]");
  }

  @Test
  void aSessionLeftBehindOfADeletedListenerObjectIsEndedToo() {
    world.status = new AutoScalingListenerStatus("dead", 4L, "old", null, List.of());
    world.seen(listener("u1", 10, true));
    new LastingLoop(world.context(), world.listener).run();
    assertThat(world.events).endsWith("delete old", "status null [Connected=Deleted]");
  }

  @Test
  void aShutdownFinishesTheMessageInHand() {
    world.refuse("mark r1", Kind.UNAVAILABLE);
    started(() -> {
      world.service.say(message("5: a1; started j1 on r1"));
      world.at(1.01, () -> world.desire(new Stop(StopReason.SHUTDOWN)));
    });
    new LastingLoop(world.context(), world.listener).run();
    assertThat(world.events).containsSubsequence("start r1", "ack 5", "close s1");
  }
}
