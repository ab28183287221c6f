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
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        new Row("DM2 other counts wait", "a1", hour, "5: a1 r1 i3", ""),
        new Row("DM2 assigned does not wait", "a1", NOW, "5: a2 r1 i3", "demand 2@5"),
        new Row("DM4 zeros withheld", "a2", NOW, "5: a0; assigned j1", ""),
        new Row("DM4 zeros withheld, marks go", "a2", NOW, "5: a0; started j1 on r1", "start r1"),
        new Row("DM4 zeros withheld for jobs that only the counts tell of", "a2", NOW, "5: a0", ""),
        new Row(
            "DM4 one of two is done",
            "a2",
            NOW,
            "5: a0; available j3, completed j1 on r1",
            "done r1@5"),
        new Row(
            "DM4 zeros believed when all is done",
            "a2",
            NOW,
            "5: a0; completed j1 on r1, completed j2 on r2",
            "done r1@5, done r2@5 | demand 0@5"));
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

  /** Other counts are heard, and nothing else until they are written. */
  private static DemandPlan quiet(DemandState state) {
    var heard = MessagePlanner.message(state, message("6: a2 r2"), T0);
    return MessagePlanner.tick(heard.next(), T0.plusSeconds(2));
  }

  /** Counts that release nobody need no new message id (docs/adr/0093). */
  @Test
  void countsThatScaleNothingKeepTheMessageId() {
    var done = MessagePlanner.message(before("a2"), message("5: a2; completed j1 on r1"), T0);
    assertThat(plan(done)).isEqualTo("done r1@5 | demand 2@5");
    assertThat(plan(quiet(done.next()))).isEqualTo("demand 2@5");
    var opened = MessagePlanner.sessionOpened(done.next().takenOver(5), counts("a2"), T0);
    assertThat(plan(quiet(opened.next())))
        .as("the process before may have marked a completion whose counts were missing")
        .isEqualTo("demand 2@6");
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

  /** protocol 0: after a restore, or as one of the other flavour, the service begins again. */
  @Test
  void numbersOfMessagesNeverFallThoughTheIdsOfTheServiceDo() {
    var state = before("a2").takenOver(100_000_050);
    var small = MessagePlanner.message(state, message("4: a3; completed j1 on r1"), T0);
    assertThat(plan(small)).isEqualTo("done r1@1000000000004 | demand 3@1000000000004");
    var again = MessagePlanner.message(small.next(), message("4: a3; completed j1 on r1"), T0);
    assertThat(plan(again)).as("the same when it comes again").isEqualTo("done r1@1000000000004");
    var other = small.next().takenOver(1_000_000_000_004L);
    assertThat(plan(MessagePlanner.message(other, message("5: a1"), T0)))
        .as("another process goes on from there")
        .isEqualTo("demand 1@1000000000005");
    assertThat(plan(MessagePlanner.message(other, message("100000051: a1"), T0)))
        .as("back to the first flavour")
        .isEqualTo("demand 1@1000100000051");
    assertThat(plan(MessagePlanner.message(other, message("3: a1"), T0)))
        .as("restored once more")
        .isEqualTo("demand 1@2000000000003");
  }

  record Acquired(String rule, String heard, int capacity, String asked, String won, int demand) {}

  /**
   * DM11; nobody knows whether acquired jobs are counted in (i) or beside (o) the assigned ones.
   */
  static Stream<Acquired> offers() {
    return Stream.of(
        new Acquired(
            "oldest first", "v3; available #3, available #1, available #2", 2, "3,1", "1,3", 2),
        new Acquired("what has a place", "a3 r1 v2; available #1, available #2", 4, "1", "1", 4),
        new Acquired("no place", "a4 r4 v1; available #1", 4, "", "", 4),
        new Acquired("lower capacity", "a4 r4 v1; available #1", 3, "", "", 4),
        new Acquired("a part is won", "v2; available #1, available #2", 5, "1,2", "2", 1),
        new Acquired("none is won", "a1 v1; available #1", 5, "1", "", 1),
        new Acquired("no longer offered", "v0; available #1, completed #1 on ", 5, "", "", 0),
        new Acquired("assigned meanwhile", "a1; available #1, assigned #1", 5, "", "", 1),
        new Acquired(
            "o: all ids known", "a1 q1 v1; assigned #7, assigned #8, available #1", 3, "1", "1", 3),
        new Acquired(
            "i: all ids known", "a2 q1 v1; assigned #7, assigned #8, available #1", 3, "1", "1", 3),
        new Acquired("ids unknown: the lower number", "a2 r1 q1 v1; available #1", 9, "1", "1", 3),
        new Acquired(
            "ids unknown: places for the higher", "a2 r1 q1 v1; available #1", 3, "", "", 2),
        new Acquired("ids unknown, none assigned", "a1 r1 q2", 9, "", "", 3));
  }

  @ParameterizedTest(name = "DM11 {0}")
  @MethodSource
  void offers(Acquired row) {
    var heard = MessagePlanner.message(before("a0"), message("5: " + row.heard()), T0).next();
    var asked = MessagePlanner.toAcquire(heard, row.capacity());
    assertThat(asked).isEqualTo(ids(row.asked()));
    var next = MessagePlanner.acquired(heard, asked, Set.copyOf(ids(row.won())), T0).next();
    assertThat(next.believed().assigned()).isEqualTo(row.demand());
    assertThat(asked).as("not asked for again").noneMatch(next.offers().known()::contains);
  }

  private static List<Long> ids(String text) {
    return Stream.of(text.split(",")).filter(id -> !id.isEmpty()).map(Long::valueOf).toList();
  }

  @Test
  void whatIsWonIsDemandAtOnceAndStaysSoHoweverItIsCounted() {
    var heard = MessagePlanner.message(before("a0"), message("5: v1; available #1"), T0).next();
    var won = MessagePlanner.acquired(heard, List.of(1L), Set.of(1L), T0);
    assertThat(plan(won)).isEqualTo("demand 1@5");
    for (var counts : List.of("a0 q1", "a1 q1", "a1", "-")) {
      var later = MessagePlanner.message(won.next(), message("6: " + counts), T0.plusSeconds(9));
      assertThat(later.next().believed().assigned()).as(counts).isEqualTo(1);
    }
  }

  /** Else runners would be made for jobs that this set may have, or beyond its capacity. */
  @Test
  void afterAnAnswerThatLacksAJobItsPlaceIsHeldUntilTheNextCounts() {
    var heard =
        MessagePlanner.message(before("a0"), message("5: v2; available #1, available #2"), T0)
            .next();
    var lost = MessagePlanner.acquired(heard, List.of(1L), Set.of(), T0).next();
    assertThat(MessagePlanner.toAcquire(lost, 1)).isEmpty();
    assertThat(MessagePlanner.isUnsure(lost, 1)).isTrue();
    assertThat(MessagePlanner.toAcquire(lost, 2)).as("another place").containsExactly(2L);
    var free = MessagePlanner.scaleSetRead(lost, counts("v1 i1"), T0).next();
    assertThat(MessagePlanner.toAcquire(free, 1)).as("another set has it").containsExactly(2L);
    var taken = MessagePlanner.scaleSetRead(lost, counts("q1 v1"), T0).next();
    assertThat(MessagePlanner.toAcquire(taken, 1)).as("it was won").isEmpty();
    assertThat(MessagePlanner.isUnsure(taken, 1)).isFalse();
  }

  /** Two jobs are known and two are assigned, but not the same two: one is of a process before. */
  @Test
  void besideAJobThatIsNotKnownByNumberTheHigherNumberHoldsThePlaces() {
    var started =
        MessagePlanner.message(before("a1 v4"), message("5: a1 v4; available #2, available #3"), T0)
            .next();
    var won = MessagePlanner.acquired(started, List.of(2L, 3L), Set.of(2L, 3L), T0).next();
    var next = MessagePlanner.message(won, message("6: a2 q1 v2; assigned #2, available #4"), T0);
    assertThat(MessagePlanner.toAcquire(next.next(), 3)).isEmpty();
    assertThat(MessagePlanner.toAcquire(next.next(), 4)).containsExactly(4L);
    var counted = MessagePlanner.message(next.next(), message("7: a2 v2; started #1 on r1"), T0);
    assertThat(MessagePlanner.toAcquire(counted.next(), 3)).as("they agree").containsExactly(4L);
  }

  @Test
  void theListOfOffersIsReadOnceIfItIsEmptyAndElseEveryHalfAMinute() {
    var opened = before("v3");
    assertThat(MessagePlanner.isListDue(opened, 0, T0)).as("no place").isFalse();
    assertThat(MessagePlanner.isListDue(before("a1"), 5, T0)).as("no job waits").isFalse();
    assertThat(MessagePlanner.isListDue(opened, 5, T0)).isTrue();
    var later = T0.plusSeconds(30);
    var broker = MessagePlanner.listed(opened, List.of(), T0);
    assertThat(MessagePlanner.isListDue(broker, 5, later)).as("assigns by itself").isFalse();
    assertThat(
            MessagePlanner.isListDue(
                MessagePlanner.sessionOpened(broker, counts("v3"), T0).next(), 5, T0))
        .as("the next session")
        .isTrue();
    var offered =
        MessagePlanner.message(broker, message("5: v3; available #1, assigned #1"), T0).next();
    assertThat(MessagePlanner.isListDue(offered, 5, T0)).as("offers jobs from now on").isTrue();
    var failed = MessagePlanner.listed(opened, null, T0);
    var legacy = MessagePlanner.listed(opened, List.of(Heard.job("#1")), T0);
    assertThat(MessagePlanner.toAcquire(legacy, 5)).containsExactly(1L);
    var asked = MessagePlanner.acquired(legacy, List.of(1L), Set.of(1L), T0).next();
    for (var state : List.of(failed, asked)) {
      assertThat(MessagePlanner.isListDue(state, 5, later.minusMillis(1))).isFalse();
      assertThat(MessagePlanner.isListDue(state, 5, later)).isTrue();
    }
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
    var withheld = MessagePlanner.message(before("a1"), message("5: a0; assigned j1"), T0).next();
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
    var now = T0.plusSeconds(7);
    var runners = MessagePlanner.message(before("a1"), message("5: a1 i1"), now);
    Instant end = now.plusSeconds(4);
    assertThat(runners.requeueAt().at()).as("counts of runners").isEqualTo(end);
    var jobs = MessagePlanner.message(runners.next(), message("6: a1 r1"), now.plusSeconds(1));
    assertThat(jobs.requeueAt().at()).as("a count of jobs").isEqualTo(now.plusSeconds(3));
    var late = MessagePlanner.message(runners.next(), message("6: a1 r1"), now.plusSeconds(3));
    assertThat(late.requeueAt().at()).as("it puts off nothing").isEqualTo(end);
    assertThat(late.actions()).isEmpty();
    assertThat(plan(MessagePlanner.tick(late.next(), end.minusMillis(1)))).isEmpty();
    var written = MessagePlanner.tick(late.next(), end);
    assertThat(plan(written)).isEqualTo("demand 1@6");
    assertThat(written.requeueAt().at()).isNull();
  }

  @Test
  void countsThatWaitAndComeBackNeedNoWrite() {
    var waiting = MessagePlanner.message(before("a1"), message("5: a1 i3"), T0).next();
    var back = MessagePlanner.message(waiting, message("6: a1"), T0);
    assertThat(back.actions()).isEmpty();
    assertThat(back.requeueAt().at()).isNull();
    var anew = T0.plusSeconds(3);
    var again = MessagePlanner.message(back.next(), message("7: a1 i2"), anew);
    assertThat(again.requeueAt().at()).as("counted from there").isEqualTo(anew.plusSeconds(4));
  }

  /** A9: the start, or the message with it, came late; the job is over. */
  @Test
  void aStartAfterItsCompletionOpensNoJob() {
    var over = MessagePlanner.message(before("a1"), message("5: a0; completed j1 on r1"), T0);
    assertThat(plan(over)).isEqualTo("done r1@5 | demand 0@5");
    var late = MessagePlanner.message(over.next(), message("6: a0; started j1 on r1"), T0);
    assertThat(late.next().unfinished()).isEmpty();
    assertThat(late.next().believed()).as("zeros are not doubted").isEqualTo(counts("a0"));
    assertThat(late.requeueAt().at()).isNull();
  }

  /** A9: a job may be given to the set once more, and a service that begins again counts again. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"6: a1; assigned j1, started j1 on r2", "1: a1; started j1 on r2"})
  void aCompletedJobIsOpenedAgainByItsAssignmentOrByAServiceThatBeginsAgain(String later) {
    var over = MessagePlanner.message(before("a1"), message("5: a0; completed j1 on r1"), T0);
    var again = MessagePlanner.message(over.next(), message(later), T0).next();
    assertThat(again.unfinished()).containsExactly("j1");
  }

  @Test
  void completedJobsRememberedAreBounded() {
    var state = DemandState.NONE;
    for (int i = 0; i < DemandState.MAX_COMPLETED + 10; i++) {
      state = state.after(i, message(i + ": a1; completed j" + i + " on r").events());
    }
    assertThat(state.completed()).hasSize(DemandState.MAX_COMPLETED).doesNotContain("j0");
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
