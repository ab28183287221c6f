package dev.runnerset.listener.demand;

import static dev.runnerset.listener.demand.Heard.T0;
import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.demand.Heard.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.listener.demand.DemandAction.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of demand, a row each; before each row, "before" was heard and written. */
final class MessagePlannerTest {
  record Row(String rule, String before, Duration later, String message, String plan) {}

  private static final Duration NOW = Duration.ZERO;

  static Stream<Row> messages() {
    var hour = Duration.ofHours(1);
    return Stream.of(
        new Row("DM2 rise at once", "a1", NOW, "5: a3; assigned j2, assigned j3", "demand 3@5"),
        new Row(
            "DM1 rise beside marks",
            "a1",
            NOW,
            "5: a2 r1; started j1 on r1",
            "demand 2@5, start r1"),
        new Row("DM3 mark alone", "a1", NOW, "5: a1; started j1 on r1", "start r1"),
        new Row(
            "DM1 fall after completion",
            "a2",
            hour,
            "5: a1; completed j1 on r1",
            "done r1@5 | demand 1@5"),
        new Row(
            "DM2 completion, equal numbers",
            "a2",
            NOW,
            "5: a2; completed j1 on r1",
            "done r1@5 | demand 2@5"),
        new Row(
            "DM1 a rise does not wait for completions",
            "a1",
            NOW,
            "5: a2; completed j1 on r1",
            "demand 2@5, done r1@5"),
        new Row("DM2 fall without completion", "a2", NOW, "5: a1", "demand 1@5"),
        new Row("DM2 no change", "a2 r1", hour, "5: a2 r1", ""),
        new Row("DM2 null statistics keep the last", "a2", hour, "5: -", ""),
        new Row(
            "I9 null statistics release nobody",
            "a2",
            NOW,
            "5: -; completed j1 on r1",
            "done r1@5"),
        new Row(
            "I9 withheld zeros release nobody",
            "a2",
            NOW,
            "5: a0; assigned j2, completed j1 on r1",
            "done r1@5"),
        new Row(
            "DM3 one write a runner",
            "a1",
            NOW,
            "5: a1; started j1 on r1, completed j1 on r1",
            "done r1@5 | demand 1@5"),
        new Row(
            "protocol 4.3 no runner took it", "a1", NOW, "5: a0; completed j1 on ", "demand 0@5"),
        new Row(
            "DM10 a full message falls by its completions alone",
            "a9 b9",
            NOW,
            "5 full: a5 b5; completed j1 on r1, completed j2 on r2",
            "done r1@5, done r2@5 | demand 7@5"),
        new Row(
            "DM10 but never below its statistics",
            "a9 b9",
            NOW,
            "5 full: a8 b8; completed j1 on r1, completed j2 on r2",
            "done r1@5, done r2@5 | demand 8@5"),
        new Row(
            "DM10 nothing is done in it", "a9", NOW, "5 full: a5 b5; started j1 on r1", "start r1"),
        new Row("DM10 a full message rises", "a3", NOW, "5 full: a5; assigned j2", "demand 5@5"),
        new Row("quiet: other counts wait", "a1", Duration.ofMillis(1999), "5: a1 r1 i3", ""),
        new Row("quiet: and then go", "a1", Duration.ofSeconds(2), "5: a1 r1 i3", "demand 1@5"),
        new Row("quiet: assigned does not wait", "a1", NOW, "5: a2 r1 i3", "demand 2@5"),
        new Row("4 zeros withheld", "a2", NOW, "5: a0; assigned j1", ""),
        new Row("4 zeros withheld, marks go", "a2", NOW, "5: a0; started j1 on r1", "start r1"),
        new Row("4 zeros believed when all is done", "a2", NOW, "5: a0", "demand 0@5"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void messages(Row row) {
    var at = T0.plus(row.later());
    assertThat(plan(MessagePlanner.message(before(row.before()), message(row.message()), at)))
        .isEqualTo(row.plan());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("messages")
  void aRedeliveredMessageWritesNoDemand(Row row) {
    var at = T0.plus(row.later());
    var once = MessagePlanner.message(before(row.before()), message(row.message()), at).next();
    assertThat(plan(MessagePlanner.message(once, message(row.message()), at)))
        .doesNotContain("demand");
  }

  private static DemandState before(String counts) {
    return MessagePlanner.sessionOpened(DemandState.NONE, counts(counts), T0).next();
  }

  @Test
  void aSessionsStatisticsAreWrittenThoughNothingChanged() {
    var state = before("a2").takenOver(9);
    assertThat(plan(MessagePlanner.sessionOpened(state, counts("a2"), T0))).isEqualTo("demand 2@9");
  }

  @Test
  void statisticsThatNobodySentAreReadAgainEverLessOften() {
    var opened = MessagePlanner.sessionOpened(DemandState.NONE, null, T0);
    assertThat(plan(opened)).isEqualTo("read");
    var state = opened.next();
    var now = T0;
    for (long wait : new long[] {2, 4, 8, 16, 32, 60, 60}) {
      var failed = MessagePlanner.scaleSetRead(state, null, now);
      assertThat(plan(failed)).as("unknown is not zero").isEmpty();
      assertThat(failed.requeueAt().at()).isEqualTo(now.plusSeconds(wait));
      now = now.plusSeconds(wait);
      assertThat(plan(MessagePlanner.tick(failed.next(), now.minusMillis(1)))).isEmpty();
      assertThat(plan(MessagePlanner.tick(failed.next(), now))).isEqualTo("read");
      state = failed.next();
    }
    var read = MessagePlanner.scaleSetRead(state, counts("a2"), now);
    assertThat(plan(read)).isEqualTo("demand 2@0");
    assertThat(read.requeueAt().at()).isNull();
  }

  @Test
  void aMessageEndsTheReadingOfTheScaleSet() {
    var opened = MessagePlanner.sessionOpened(DemandState.NONE, null, T0);
    var failed = MessagePlanner.scaleSetRead(opened.next(), null, T0);
    var silent = MessagePlanner.message(failed.next(), message("5: -; assigned j1"), T0);
    assertThat(silent.requeueAt().at()).as("no statistics").isEqualTo(T0.plusSeconds(2));
    var reported = MessagePlanner.message(silent.next(), message("6: a1"), T0);
    assertThat(plan(reported)).isEqualTo("demand 1@6");
    assertThat(reported.requeueAt().at()).isNull();
    var zeros = MessagePlanner.message(silent.next(), message("6: a0"), T0);
    assertThat(zeros.requeueAt().at()).as("doubted as ever (DM4)").isEqualTo(T0.plusSeconds(60));
  }

  @Test
  void theMessageIdNeverFalls() {
    var state = before("a2").takenOver(9);
    var plan = MessagePlanner.message(state, message("4: a3; completed j1 on r1"), T0);
    assertThat(plan(plan)).isEqualTo("done r1@4 | demand 3@9");
  }

  @Test
  void zerosAreDoubtedForAMinuteAndThenTheScaleSetIsRead() {
    var withheld = MessagePlanner.message(before("a2"), message("5: a0; assigned j1"), T0);
    var end = T0.plusSeconds(60);
    assertThat(withheld.requeueAt().at()).isEqualTo(end);
    var again = MessagePlanner.message(withheld.next(), message("6: a0"), T0.plusSeconds(30));
    assertThat(again.requeueAt().at()).as("counted from the first zeros").isEqualTo(end);
    assertThat(plan(MessagePlanner.tick(again.next(), end.minusMillis(1)))).isEmpty();
    assertThat(plan(MessagePlanner.tick(again.next(), end))).isEqualTo("read");
    assertThat(plan(MessagePlanner.scaleSetRead(again.next(), counts("a1 r1"), end)))
        .isEqualTo("demand 1@6");
    assertThat(plan(MessagePlanner.scaleSetRead(again.next(), null, end)))
        .as("zeros are believed when it cannot be read")
        .isEqualTo("demand 0@6");
    var believed = MessagePlanner.scaleSetRead(again.next(), counts(""), end);
    assertThat(believed.requeueAt().at()).isNull();
    assertThat(believed.next().unfinished()).isEmpty();
  }

  @Test
  void zerosAreBelievedAsSoonAsTheLastJobIsDone() {
    var withheld = MessagePlanner.message(before("a2"), message("5: a0; assigned j1"), T0).next();
    assertThat(plan(MessagePlanner.message(withheld, message("6: -; completed j1 on r1"), T0)))
        .isEqualTo("done r1@6 | demand 0@6");
  }

  /** A body that is cut at its longest tells of the last completions after the zeros. */
  @Test
  void whoWasNotReleasedIsSoWithTheNextNumbersThoughTheyAreEqual() {
    var cut = message("5: -; completed j1 on r1");
    var waiting = MessagePlanner.message(before("a2"), cut, T0).next();
    assertThat(plan(MessagePlanner.message(waiting, message("6: a2"), T0))).isEqualTo("demand 2@6");
    assertThat(plan(MessagePlanner.message(waiting, message("6: a1; completed j2 on r2"), T0)))
        .isEqualTo("done r2@6 | demand 1@6");
    assertThat(plan(MessagePlanner.scaleSetRead(waiting, counts("a2"), T0)))
        .isEqualTo("demand 2@5");
  }

  @Test
  void otherNumbersEndTheDoubt() {
    var withheld = MessagePlanner.message(before("a2"), message("5: a0; assigned j1"), T0).next();
    var reported = MessagePlanner.message(withheld, message("6: a3"), T0);
    assertThat(plan(reported)).isEqualTo("demand 3@6");
    assertThat(reported.requeueAt().at()).isNull();
  }

  @Test
  void theCountsOfAFullMessageAreBelievedWhenAPollHasWaitedTwoSeconds() {
    var full = message("5 full: a5 b5; completed j1 on r1");
    var first = MessagePlanner.message(before("a9 b9"), full, T0);
    assertThat(plan(first)).isEqualTo("done r1@5 | demand 8@5");
    assertThat(first.requeueAt().at()).isNull();
    var again = MessagePlanner.message(first.next(), full, T0);
    assertThat(plan(again)).as("its completions count once").isEqualTo("done r1@5");
    var late = T0.plusSeconds(9);
    assertThat(plan(MessagePlanner.tick(again.next(), late))).as("the marks take long").isEmpty();
    var polled = MessagePlanner.pollBegan(again.next(), late);
    assertThat(polled.requeueAt().at()).isEqualTo(late.plusSeconds(2));
    var tick = MessagePlanner.tick(polled.next(), late.plusSeconds(2));
    assertThat(plan(tick)).isEqualTo("demand 5@5");
    assertThat(tick.requeueAt().at()).isNull();
  }

  @Test
  void theNextMessageEndsTheWaitOfAFullOne() {
    var first =
        MessagePlanner.message(before("a9 b9"), message("5 full: a5 b5; started j1 on r1"), T0);
    var next = MessagePlanner.message(first.next(), message("6: a4 b4; completed j1 on r1"), T0);
    assertThat(plan(next)).isEqualTo("done r1@6 | demand 4@6");
    assertThat(next.requeueAt().at()).isNull();
  }

  @Test
  void countsThatWaitAreWrittenWhenTheQuietEnds() {
    var waiting = MessagePlanner.message(before("a1"), message("5: a1 i3"), T0.plusSeconds(1));
    Instant end = T0.plusSeconds(2);
    assertThat(waiting.requeueAt().at()).isEqualTo(end);
    var written = MessagePlanner.tick(waiting.next(), end);
    assertThat(plan(written)).isEqualTo("demand 1@5");
    assertThat(written.requeueAt().at()).isNull();
  }

  @Test
  void countsThatWaitAndComeBackNeedNoWrite() {
    var waiting = MessagePlanner.message(before("a1"), message("5: a1 i3"), T0).next();
    var back = MessagePlanner.message(waiting, message("6: a1"), T0);
    assertThat(back.actions()).isEmpty();
    assertThat(back.requeueAt().at()).isNull();
  }

  @Test
  void jobsRememberedAreBounded() {
    var state = DemandState.NONE;
    for (int i = 0; i < DemandState.MAX_UNFINISHED + 10; i += 50) {
      var events = new StringBuilder();
      for (int j = i; j < i + 50; j++) {
        events.append(j == i ? "" : ",").append("assigned j").append(j);
      }
      state = state.after(i, message(i + ": a1;" + events).events());
    }
    assertThat(state.unfinished()).hasSize(DemandState.MAX_UNFINISHED).doesNotContain("j0");
  }

  @Test
  void aMarkIsBoundedAndAlwaysNamesItsJob() {
    var long1 = "é".repeat(255) + "😀😀";
    var mark =
        Mark.started(
            "r",
            new RunnerId(1),
            new JobDescription(0, "", "o/r", "w", long1, 7, "push", null, null, null, null));
    assertThat(mark.status().jobId()).isEqualTo("request-0");
    assertThat(mark.status().job().displayName())
        .hasSizeLessThanOrEqualTo(Mark.MAX_TEXT)
        .endsWith("é…");
  }
}
