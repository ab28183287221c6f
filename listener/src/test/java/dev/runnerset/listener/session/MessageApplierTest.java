package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.FakeService.SessionFaults;
import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How demand and marks are written until they stand (I8, DM2, DM4). */
final class MessageApplierTest {
  private final FakeWorld world = new FakeWorld();

  @Test
  void whatCannotBeAppliedIsTriedAgainAndNotAcknowledgedBefore() {
    world.refuse("mark r1", Kind.UNAVAILABLE, Kind.UNAVAILABLE);
    world.started(() -> world.service.say(message("5: a1; started j1 on r1")));
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

  /** DM9; a rise does not wait for its marks, and a process that takes over goes on from there. */
  @ParameterizedTest(name = "{0} after {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "5: a0; completed j1 on r1, completed j2 on r2 | 0   | 102",
        "5: a0; completed j1 on foreign-1              | 0   | 0",
        "5: a9; completed j1 on r1                     | 0   | 0",
        "5: a0; completed j1 on r1                     | 500 | 500",
        "5: a9                                         | 500 | 500",
      })
  void aDemandBearsTheHighestVersionOfTheMarksBeforeIt(String text, long before, long version) {
    world.marksVersion = before;
    world.started(() -> world.service.say(message(text)));
    world.run(1);
    assertThat(world.events).contains("ack 5");
    assertThat(world.marksVersion).isEqualTo(version);
  }

  @Test
  void aMissingRoleIsSaidAndTriedSlowly() {
    world.refuse("mark r1", Kind.FORBIDDEN, Kind.FORBIDDEN, Kind.FORBIDDEN);
    world.started(() -> world.service.say(message("5: a0; started j1 on r1")));
    world.run(44, StopReason.LEASE_LOST);
    assertThat(world.events)
        .filteredOn(e -> e.startsWith("mark") || e.startsWith("start"))
        .as("not more often than every 15 s")
        .containsExactly("mark r1: FORBIDDEN", "mark r1: FORBIDDEN", "mark r1: FORBIDDEN");
    assertThat(world.events)
        .contains("status s1 [Connected=SessionOpen, MessagesApplied=WritesForbidden]");
  }

  /** As when its namespace is deleted: the role goes first, and the session must not stay open. */
  @ParameterizedTest(name = "its listener object is gone: {0}")
  @ValueSource(booleans = {false, true})
  void aSetThatIsDeletedWithoutItsRoleEndsItsSession(boolean gone) {
    world.refuse("demand 1@5", Kind.FORBIDDEN, Kind.FORBIDDEN, Kind.FORBIDDEN, Kind.FORBIDDEN);
    world.started(() -> world.service.say(message("5: a1")));
    var end = new DesiredState.Stop(StopReason.GONE);
    var deleted = new DesiredState.Hold(FakeWorld.listener("u1", 10, true));
    world.at(3, () -> world.desire(gone ? end : deleted));
    new LastingLoop(world.context(), world.listener, false).run();
    assertThat(world.events).contains("close s1");
    assertThat(world.events)
        .filteredOn(e -> e.startsWith("demand 1"))
        .as("not tried again for ever")
        .hasSizeLessThan(3);
  }

  @Test
  void marksOfRunnersThatAreGoneOrForeignAreCountedAndPassedOver() {
    world.refuse("mark r1", Kind.GONE);
    world.started(
        () -> world.service.say(message("5: a0; started j1 on r1, started j2 on foreign-1")));
    world.run(2);
    assertThat(world.events).contains("ack 5");
    assertThat(world.counted(ListenerMeter.MARKS_DROPPED, "runner_gone")).isEqualTo(1);
    assertThat(world.counted(ListenerMeter.MARKS_DROPPED, "other_registration")).isEqualTo(1);
  }

  /** As by an admission policy: no mark is lost, and no message is acknowledged without it. */
  @Test
  void aMarkThatAPolicyRefusesIsReportedAndTriedAgain() {
    world.refuse("mark r1", Kind.TEST_FAILED, Kind.TEST_FAILED);
    world.started(() -> world.service.say(message("5: a0; started j1 on r1")));
    world.run(10);
    assertThat(world.events)
        .containsSubsequence(
            "mark r1: TEST_FAILED",
            "status s1 [Connected=SessionOpen, MessagesApplied=MarkRefused]",
            "start r1",
            "status s1 [Connected=SessionOpen, MessagesApplied=Applied]",
            "ack 5");
  }

  /** What is dropped is reported for ten minutes, once for a message, and then no more. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "no runner, GONE, started j1 on r1, RunnerGone, 1",
    "completion without runner, GONE, completed j1 on r1, '', 0",
    "other registration, '', started j1 on foreign-1, OtherRegistration, 1",
    "without a name, GONE, started j1 on, RunnerGone, 1",
  })
  void aDroppedMarkIsReported(String what, String kind, String event, String reason, int writes) {
    if (!kind.isEmpty()) {
      world.refuse("mark " + (event.endsWith("on") ? "" : "r1"), Kind.valueOf(kind));
    }
    world.started(() -> world.service.say(message("5: a1; " + event)));
    world.at(
        4,
        () ->
            assertThat(conditions())
                .isEqualTo(reason.isEmpty() ? List.of() : List.of("MarksDropped=True " + reason)));
    world.at(604, () -> assertThat(conditions()).as("ten minutes after").isEqualTo(List.of()));
    world.run(610);
    assertThat(world.events).contains("ack 5");
    assertThat(world.events)
        .filteredOn(e -> e.startsWith("status s1") && e.contains("MarksDropped"))
        .hasSize(writes);
  }

  /** A6: nothing was lost by a job that began and ended while nobody listened. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "its completion comes with the next message, completed j1 on r1, ''",
    "the completion of another job comes, completed j2 on r1, RunnerGone",
  })
  void aStartWhoseCompletionComesInTheSameBacklogIsNoDroppedMark(
      String what, String next, String reason) {
    world.refuse("mark r1", Kind.GONE, Kind.GONE);
    world.started(() -> {
      world.service.say(message("5: a1; started j1 on r1"));
      world.service.say(message("6: a1; " + next));
    });
    world.run(10);
    assertThat(world.events).as("both were dropped").contains("ack 5", "ack 6");
    assertThat(world.counted(ListenerMeter.MARKS_DROPPED, "runner_gone")).isEqualTo(2);
    assertThat(conditions())
        .isEqualTo(reason.isEmpty() ? List.of() : List.of("MarksDropped=True " + reason));
  }

  /** DM3: a message that takes long to apply is no sign that the backlog has been read. */
  @Test
  void aStartWaitsForItsCompletionBehindAMessageThatIsRefusedForAWhile() {
    world.refuse("mark r1", Kind.GONE, Kind.GONE);
    world.refuse("mark r2", Kind.UNAVAILABLE, Kind.UNAVAILABLE, Kind.UNAVAILABLE);
    world.started(() -> {
      world.service.say(message("5: a1; started j1 on r1"));
      world.service.say(message("6: a2; started j2 on r2"));
      world.service.say(message("7: a1; completed j1 on r1"));
    });
    world.run(30);
    assertThat(world.events).contains("ack 7").noneMatch(e -> e.contains("MarksDropped"));
    assertThat(world.counted(ListenerMeter.MARKS_DROPPED, "runner_gone")).isEqualTo(2);
  }

  /** A6: other messages may come all the time. */
  @Test
  void aStartThatWaitsForItsCompletionIsReportedAfterAMinute() {
    world.refuse("mark r1", Kind.GONE);
    world.started(() -> world.service.say(message("5: a1; started j1 on r1")));
    for (int second = 1; second < 90; second++) {
      int id = 5 + second;
      world.at(second, () -> world.service.say(message(id + ": a1; assigned j" + id)));
    }
    world.at(50, () -> assertThat(conditions()).isEmpty());
    world.at(70, () -> assertThat(conditions()).containsExactly("MarksDropped=True RunnerGone"));
    world.run(90);
  }

  /** What a process reported that is gone: nobody else would ever end it. */
  @Test
  void aDroppedMarkOfAFormerProcessIsReportedNoLongerThanTenMinutes() {
    var reported =
        new ConditionBuilder()
            .withType("MarksDropped")
            .withStatus("True")
            .withReason("RunnerGone")
            .withMessage("job j1")
            .withLastTransitionTime(world.clock.instant().minusSeconds(500).toString())
            .build();
    world.status =
        AutoScalingListenerStatusBuilder.builder()
            .holder("dead")
            .epoch(4L)
            .sessionId("old")
            .conditions(List.of(reported))
            .build();
    world.at(99, () -> assertThat(conditions()).containsExactly("MarksDropped=True RunnerGone"));
    world.at(101, () -> assertThat(conditions()).isEmpty());
    world.run(102);
    assertThat(world.events).contains("open s1");
  }

  /** The epoch is unchanged, so that a policy refuses the demand, and not the fence. */
  @Test
  void aDemandThatAPolicyRefusesIsReportedAndTriedAgain() {
    world.started(() -> {
      world.refuse("demand", Kind.TEST_FAILED, Kind.TEST_FAILED, Kind.TEST_FAILED);
      world.service.say(message("5: a1; assigned j1"));
    });
    world.at(
        1.3,
        () ->
            assertThat(world.condition("MessagesApplied").getMessage())
                .contains("demand refused", "admission policies and webhooks"));
    world.run(20);
    assertThat(world.events)
        .containsSubsequence(
            "demand: TEST_FAILED",
            "status s1 [Connected=SessionOpen, MessagesApplied=WritesForbidden]",
            "demand 1@5",
            "status s1 [Connected=SessionOpen, MessagesApplied=Applied]",
            "ack 5");
  }

  private List<String> conditions() {
    return world.status.conditions().stream()
        .filter(c -> c.getType().equals("MarksDropped"))
        .map(c -> c.getType() + "=" + c.getStatus() + " " + c.getReason())
        .toList();
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
    world.started(() -> world.service.say(message("5: a3; assigned j1")));
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

  @Test
  void doubtedZerosEndWithTheScaleSetRead() {
    world.service.atStart = counts("a1");
    world.service.ofScaleSet = counts("a2 r2");
    world.started(() -> world.service.say(message("5: a0; assigned j1")));
    world.at(60.5, () -> assertThat(world.events).noneMatch(e -> e.startsWith("demand")));
    world.run(62);
    assertThat(world.events).containsSubsequence("ack 5", "read scale set", "demand 2@5");
  }
}
