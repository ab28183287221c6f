package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.session.FakeWorld.details;
import static dev.runnerset.listener.session.FakeWorld.listener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How an open session is polled: one message at a time, with the present capacity (SF6, SF9). */
final class OpenSessionTest {
  private final FakeWorld world = new FakeWorld();

  @Test
  void aMessageIsAppliedThenAcknowledgedThenTheNextIsAskedFor() {
    world.started(() -> world.service.say(message("5: a1 r1; assigned j1, started j1 on r1")));
    world.run(2);
    assertThat(world.events).startsWith("demand 1@5", "start r1", "ack 5", "poll 5 capacity 10");
  }

  @Test
  void aPollWithoutNewsWritesNothing() {
    world.started(() -> {});
    world.run(200);
    assertThat(world.events.subList(0, 3)).containsOnly("poll 0 capacity 10");
    assertThat(world.events).noneMatch(e -> e.startsWith("demand") || e.startsWith("read"));
  }

  @Test
  void anotherCapacityIsOfferedAtOnce() {
    world.started(() -> world.seen(listener("u1", 20, false)));
    world.run(2);
    assertThat(world.events).startsWith("cancel", "poll 0 capacity 20");
  }

  /** The statistics reckon with the completion of the message that waits meanwhile (DM10). */
  @Test
  void aFullMessageWhoseMarksTakeLongReportsNothingAhead() {
    world.started(() -> {
      world.service.say(message("4: a9 b9"));
      world.service.say(message("5 full: a7 b7; completed j1 on r1"));
      world.service.say(message("6: a7 b7; completed j2 on r2"));
    });
    world.refuse("mark r1", Kind.UNAVAILABLE, Kind.UNAVAILABLE, Kind.UNAVAILABLE);
    world.run(60);
    assertThat(demands()).containsExactly("demand 9@4", "demand 8@5", "demand 7@6");
  }

  @Test
  void theStatisticsOfTheLastFullMessageHoldOnceAPollHasWaited() {
    world.started(() -> {
      world.service.say(message("4: a9 b9"));
      world.service.say(message("5 full: a7 b7; completed j1 on r1"));
    });
    world.run(60);
    assertThat(demands()).containsExactly("demand 9@4", "demand 8@5", "demand 7@5");
  }

  private List<String> demands() {
    return world.events.stream().filter(e -> e.startsWith("demand")).toList();
  }

  /** A half-open connection: reported within 75 s, and healed by a session that is opened again. */
  @Test
  void aPollThatDoesNotAnswerIsGivenUpAndTheSessionOpenedAgain() {
    world.started(() -> world.service.deaf = true);
    world.at(
        60,
        () -> {
          world.events.clear(); // the poll of second 50 gets no answer
          world.service.deaf = false;
        });
    var reported = new ArrayList<String>();
    world.at(119, () -> reported.add(world.condition("Connected").getReason()));
    world.at(121, () -> reported.add(world.condition("Connected").getReason()));
    world.at(131, () -> reported.add(world.condition("Connected").getReason()));
    world.run(140);
    assertThat(world.counted(ListenerMeter.POLLS_UNANSWERED)).isEqualTo(1);
    assertThat(world.events)
        .startsWith(
            "cancel",
            "status s1 [Connected=PollUnanswered]",
            "delete s1",
            "open s2",
            "status s2 [Connected=PollUnanswered]");
    assertThat(reported).containsExactly("SessionOpen", "PollUnanswered", "SessionOpen");
  }

  /** Sessions open, and no poll gets an answer, as behind a proxy that drops what is idle. */
  @Test
  void pollsThatAreNeverAnsweredAreReportedUntilOneIs() {
    deafUntil(600);
    var reported = new ArrayList<String>();
    for (int second = 2; second < 800; second++) {
      world.at(second + 0.5, () -> tell(reported));
    }
    world.run(800);
    assertThat(reported)
        .as("a held poll is believed once, then only an answer")
        .containsExactly(
            "SessionOpen", "PollUnanswered", "SessionOpen", "PollUnanswered", "SessionOpen");
  }

  /** Each session opens, and is lost with its first poll. */
  @Test
  void sessionsThatAreLostAtOnceAreReportedWithoutAPause() {
    deafUntil(110);
    for (int second = 1; second < 120; second++) {
      world.at(second, () -> world.answer(FakeService.lost()));
    }
    var reported = new ArrayList<String>();
    for (int tenth = 20; tenth < 1400; tenth++) {
      world.at(tenth / 10.0, () -> tell(reported));
    }
    world.run(140);
    assertThat(reported).containsExactly("SessionLost", "SessionOpen");
  }

  /** As a gateway that gives up before the service answers, or a server that drips. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"Unavailable", "MalformedAnswer"})
  void pollsThatAreHeldInVainAreReportedUntilOneIsAnswered(String reason) {
    deafUntil(560);
    for (int second = 41; second < 600; second += 41) {
      world.at(
          second,
          () ->
              world.answer(
                  reason.equals("Unavailable")
                      ? new ServiceError.Unavailable(details(504), null)
                      : new ServiceError.Malformed(details(200))));
    }
    var reported = new ArrayList<String>();
    for (int second = 2; second < 800; second++) {
      world.at(second + 0.5, () -> tell(reported));
    }
    world.run(800);
    assertThat(reported)
        .containsExactly("SessionOpen", reason, "SessionOpen", reason, "SessionOpen");
  }

  /** A1, I8: it can be read by nobody, and stays the first of its queue. */
  @Test
  void aMessageBeyondTheBoundIsNeverAcknowledgedAndAskedForLessOften() {
    deafUntil(200);
    for (int tenth = 15; tenth < 2_000; tenth++) {
      world.at(tenth / 10.0, () -> world.answer(new ServiceError.Malformed(details(200))));
    }
    var reported = new ArrayList<String>();
    for (int second = 2; second < 200; second++) {
      world.at(second, () -> tell(reported));
    }
    world.run(200);
    assertThat(reported).containsExactly("MalformedAnswer");
    assertThat(world.events).noneMatch(event -> event.startsWith("ack"));
    assertThat(world.events)
        .filteredOn(event -> event.startsWith("poll"))
        .as("each 10 to 20 s")
        .hasSizeBetween(8, 25);
  }

  /** The service answers no poll that begins before. */
  private void deafUntil(int second) {
    world.service.deaf = true; // also the first poll of all
    for (int i = 0; i < second; i++) {
      world.at(i, () -> world.service.deaf = true);
    }
    world.at(second, () -> world.service.deaf = false);
  }

  private void tell(List<String> reported) {
    var reason = world.condition("Connected").getReason();
    if (reported.isEmpty() || !reported.getLast().equals(reason)) {
      reported.add(reason);
    }
  }

  /** The next answer may be 50 s away: a poll that stands is reported before. */
  @Test
  void aPollThatTheServiceHoldsAfterAFailureHealsTheConditionWithinSeconds() {
    world.started(() -> world.answer(new ServiceError.Unavailable(details(503), null)));
    world.at(
        3, () -> assertThat(world.condition("Connected").getReason()).isEqualTo("Unavailable"));
    world.at(
        13, () -> assertThat(world.condition("Connected").getReason()).isEqualTo("SessionOpen"));
    world.run(14);
    assertThat(world.events).contains("status s1 [Connected=SessionOpen]");
  }

  @Test
  void anAcknowledgementThatFailsIsMadeUpForBeforeTheNextPoll() {
    world.started(() -> {
      world.service.failures.add(new ServiceError.Unavailable(details(500), null));
      world.service.say(message("5: a1; assigned j1"));
    });
    world.run(4);
    assertThat(world.events)
        .containsSubsequence("demand 1@5", "Unavailable", "ack 5", "poll 5 capacity 10");
  }

  /** The queue has one order: a message that stays would hold up all that follow. */
  @Test
  void aMessageThatCannotBeReadIsAskedForThreeTimesThenAcknowledgedAndReported() {
    var odd =
        new Message(5, counts("a2"), List.of(), List.of("element 1 is not a job message"), false);
    world.started(() -> {
      world.service.say(odd);
      world.service.say(message("6: a3; assigned j2"));
    });
    world.at(
        7,
        () ->
            assertThat(world.condition("MessagesApplied").getReason()).isEqualTo("MessageSkipped"));
    world.at(8, () -> world.service.say(message("7: a4; started j2 on r2")));
    world.at(
        9,
        () ->
            assertThat(world.condition("MessagesApplied").getReason())
                .as("reported long")
                .isEqualTo("MessageSkipped"));
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
    assertThat(world.counted(ListenerMeter.MESSAGES_SKIPPED)).isEqualTo(1);
  }

  @Test
  void aMessageThatIsReadAtTheSecondTryIsNotSkipped() {
    var odd = new Message(5, null, List.of(), List.of("the body is not a list of jobs"), false);
    world.started(() -> {
      world.service.say(odd);
      world.service.say(message("5: a1; started j1 on r1"));
    });
    world.run(9);
    assertThat(world.events).containsSubsequence("start r1", "ack 5");
    assertThat(world.counted(ListenerMeter.MESSAGES_SKIPPED)).isZero();
  }
}
