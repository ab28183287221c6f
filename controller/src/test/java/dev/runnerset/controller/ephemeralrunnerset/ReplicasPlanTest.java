package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Situation.NOW;
import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Situation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many runners are made, which ended ones are deleted, and which are removed. */
final class ReplicasPlanTest {
  /**
   * One row a rule: what is given, as {@link Situation#of} reads it, how many runners are made,
   * which ended ones are deleted, which are chosen, and the seconds until the next plan.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # a surplus
          DM5 a surplus that stands | x:busy a b | 0 | | a b |
          DM5 a new surplus | x:busy a b surplus=none | 0 | | | 1
          DM5 a surplus of 0 s | x:busy a b surplus=0 | 0 | | | 1
          DM5 a surplus of 1 s | x:busy a b surplus=-1 | 0 | | a b |
          DM5 no surplus | x:busy a | 0 | | |
          DM8 demand is never below the runners marked busy: the warm one stays (ADR 4) | x:busy y:busy a demand=1/1 | 0 | | |
          DM8 a job that is over is no demand: the second warm one goes (ADR 4) | x:busy y:busy,done8 a b wanted=3 demand=1/1 | 0 | | a b |
          I1 only busy ones | x:busy y:busy z:busy | 0 | | |
          DM7 unknown demand removes nobody | x:busy a b demand=none | 0 | | |
          SD6 out of refusals: 1 s left | x:busy a b spent=1 | 0 | | | 1
          SD6 out of refusals: over now | x:busy a b spent=0 | 0 | | a b |
          SD7 removals are under way | x:busy a b underWay= | 0 | | |
          SD2 the look of the choice | x:busy y:busy a,since-9 demand=3/2 | 0 | | | 1
          I9 the end of a job does not remove a warm one | x:busy,done7 a b | 0 | | |
          # a quota was lowered: three idle ones are wanted, and there are two places
          DM13 other sets want the room: idle ones beyond it go | a b c wanted=3 demand=0/0 places=2 | 0 | | a b c |
          DM13 nobody else wants it: they stay | a b c wanted=3 demand=0/0 places=2 stay= surplus=none | 0 | | | 1
          DM13 for 29 s | a b c wanted=3 demand=0/0 places=2 stay= surplus=-29 | 0 | | | 1
          DM13 for 30 s: no longer | a b c wanted=3 demand=0/0 places=2 stay= surplus=-30 | 0 | | a b c |
          DM13 one that nobody wanted goes at once | a b c d wanted=3 demand=0/0 places=2 stay= surplus=-5 | 0 | | a b c d | 25
          DM13 none is made beyond the places | a b wanted=3 demand=0/0 places=2 stay= | 0 | | |
          DM13 within the places all is as usual | a b c wanted=2 demand=0/0 places=2 stay= | 0 | | a b c |
          # marks that the demand reckons with; it was heard that many seconds ago
          SD11 marks are on their way | x:busy a b demand=2/2@0#100 delivered=99 | 0 | | | 30
          SD11 for 29 s | x:busy a b demand=2/2@-29#100 delivered=99 | 0 | | | 1
          SD11 for 30 s: no longer | x:busy a b demand=2/2@-30#100 delivered=99 | 0 | | a b |
          SD11 for 31 s | x:busy a b demand=2/2@-31#100 delivered=99 | 0 | | a b |
          SD11 no runner was delivered | x:busy a b demand=2/2@0#100 | 0 | | | 30
          SD11 the last mark is there | x:busy a b demand=2/2@0#100 delivered=100 | 0 | | a b |
          SD11 and later ones, compared as numbers | x:busy a b demand=2/2@0#9 delivered=10 | 0 | | a b |
          SD11 an older listener tells no version | x:busy a b demand=2/2@0 | 0 | | a b |
          SD11 the listener's clock is ahead | x:busy a b demand=2/2@29#100 delivered=99 | 0 | | | 59
          SD11 by too much | x:busy a b demand=2/2@30#100 delivered=99 | 0 | | a b |
          SD11 a demand without a time holds nothing | x:busy a b demand=2/2#100 delivered=99 | 0 | | a b |
          SD11 missing runners are made | x:busy a b wanted=4 demand=2/2@0#100 delivered=99 | 1 | | |
          SD11 a new surplus stands meanwhile | x:busy a b demand=2/2@-5#100 surplus=none delivered=99 | 0 | | | 1
          # the missing are made
          LV4 all are missing | | 2 | | |
          LV4 one is missing | a:busy | 1 | | |
          NM4 as many as one pass makes | wanted=150 | 150 | | |
          LV4 none is missing | a:busy b:pending | 0 | | |
          RN10 backoff: 1 s left | backoff=1 | 0 | | | 1
          RN10 backoff: over now | backoff=0 | 2 | | |
          RN10 backoff does not matter when none is missing | a b backoff=1 | 0 | | |
          NM6 no runner is made while creation is held | held= | 0 | | |
          RN9 held: the outdated one stays as the proof | r,OUTDATED,ended-60 held= | 0 | | |
          AC8 one place is reserved | reserved=1 | 1 | | |
          AC8 all places are reserved | reserved=3 | 0 | | |
          AC8 reserved places do not matter when none is missing | a b reserved=1 | 0 | | |
          DM15 the nodes take one more | a:busy wanted=5 startable=2 | 1 | | |
          DM15 the nodes take no more | a:busy b:pending wanted=5 startable=2 | 0 | | |
          DM15 those beyond are not removed while jobs are assigned | a:busy b:pending wanted=2 startable=1 | 0 | | |
          DM15 the backoff comes first | a:busy wanted=5 startable=9 backoff=1 | 0 | | | 1
          DM7 unknown demand: the missing are made | demand=none | 2 | | |
          # while starts fail, a few runners try for all
          RN10 starts fail: four try | wanted=10 backoff=-2 | 4 | | | 898
          RN10 others that run say nothing of a start of now: four try | a b:busy c:pending,podMade wanted=10 backoff=-2 | 4 | | | 898
          RN10 those that try count | a:pending wanted=10 backoff=-2 | 3 | | | 898
          RN10 four try already | a:pending b:pending c:pending d:pending wanted=10 backoff=-2 | 0 | | | 898
          RN10 one of them is gone | a:pending b:pending c:pending d:pending,asked wanted=10 backoff=-2 | 1 | | | 898
          RN10 those of another revision do not try | a:pending,older b:pending,older wanted=10 backoff=-2 | 4 | | | 298
          RN10 one has started: all | wanted=10 started=-2 | 10 | | |
          RN10 no failure for 15 min, 1 s before | wanted=10 backoff=-899 | 4 | | | 1
          RN10 no failure for 15 min | wanted=10 backoff=-900 | 10 | | |
          RN10 the backoff comes first | wanted=10 backoff=1 | 0 | | | 1
          # two are wanted, one is idle: is the other one live, does it go?
          LV4 pending is live | a r:pending | 0 | | |
          LV4 busy is live | a r:busy | 0 | | |
          LV4 suspect is live | a r,suspect9 | 0 | | |
          LV2 released: completed in the message weighed | a r:busy,done7 | 1 | | |
          LV2 released: completed before it | a r:busy,done6 | 1 | | |
          LV2 not released: completed in the next message | a r:busy,done8 | 0 | | |
          LV2 a demand of this scale set settles it | a r:busy,done7 demand=2/2~1 | 1 | | |
          LV2 a demand of another scale set settles nothing | a r:busy,done7 demand=2/2~2 | 0 | | |
          LV2 released and exited goes | a r:busy,done7,ended0 | 1 | r | |
          LV2 exited, completion not weighed yet | a r:busy,done8,ended0 | 0 | | | 30
          LV3 settle window: 29 s after the exit | a r:busy,ended-29 | 0 | | | 1
          LV3 settle window: 30 s | a r:busy,ended-30 | 1 | r | |
          LV3 settle window: 31 s | a r:busy,ended-31 | 1 | r | |
          LV3 settle window of an unmarked one: 29 s | a r,SUCCEEDED,ended-29 | 0 | | | 1
          I7 settle window of an unmarked one: 30 s | a r,SUCCEEDED,ended-30 | 1 | r | |
          I7 failed and unmarked: replaced at once | a r,FAILED,ended0 | 1 | r | |
          LV4 failed with a job: its demand still counts | a r:busy,FAILED,ended0 | 0 | | | 30
          I7 failed with a job: 30 s | a r:busy,FAILED,ended-30 | 1 | r | |
          I7 failed with a job that was weighed | a r:busy,FAILED,done7,ended0 | 1 | r | |
          I7 outdated | a r,OUTDATED,ended0 | 1 | r | |
          LV4 terminating | a r,terminating | 1 | | |
          LV4 terminating, but busy | a r:busy,terminating | 0 | | |
          LV4 terminating, but suspect | a r,suspect9,terminating | 0 | | | 9
          LV4 terminating, suspicion over | a r,suspect0,terminating | 1 | | |
          LV4 terminating and ended goes by itself | a r,FAILED,terminating,ended-60 | 1 | | |
          LV6 asked to go and still in the cache | a r,asked | 1 | | |
          SD5 its deletion failed: 1 s of backoff | a r,FAILED,retry1,ended-60 | 1 | | | 1
          SD5 its deletion failed: backoff over | a r,FAILED,retry0,ended-60 | 1 | r | |
          # the set was registered again: no job comes to runners of the former scale set
          LV4 without room, and with none idle at the service, all are replaced | a,since-300,former b,since-300,former max=2 demand=4/0/0/0/0@-1 | 2 | | a b |
          LV4 an idle one | a r,since-300,former | 1 | | r |
          LV4 a pending one | a r:pending,former | 1 | | r |
          I1 one with a job is live | a r:busy,former | 0 | | |
          LV2 its job is over: neither is it live, nor does it go before its container ends | a r:busy,done0,seenDone-9,former | 1 | | | 51
          SD5 a suspect is live | a r,since-300,suspect9,former | 0 | | | 9
          SD5 suspicion over | a r,since-300,suspect0,former | 1 | | r |
          SD5 its removal failed: 1 s of backoff | a r,since-300,retry1,former | 1 | | | 1
          LV5 asked to go already | a r,since-300,asked,former | 1 | | |
          LV3 an exit without a job is not waited for | a r,since-300,SUCCEEDED,ended0,former | 1 | r | |
          SD2 it needs no protection | a r,since0,former demand=3/2 | 1 | | r |
          DM7 unknown demand | a r,since-300,former demand=none | 1 | | r |
          RN9 held | a r,since-300,former held= | 0 | | r |
          SD6 out of refusals | a b r,since-300,former spent=1 | 0 | | | 1
          SD5 it is no surplus | a b r,since-300,former | 0 | | r |
          # half of its lifetime is almost over: a has 496 thousandths of it, b has 495
          RN22 1 s before | a,made-991,lifetime2000 b | 0 | | | 1
          RN22 its moment has come: it is live until it is gone | a,made-992,lifetime2000 b | 0 | | a |
          RN22 each has its own moment | a,made-991,lifetime2000 b,made-991,lifetime2000 | 0 | | b | 1
          I1 one with a job stays | a:busy,made-1999,lifetime2000 b | 0 | | |
          RN22 one that has not started stays: its time has not begun | a:pending,made-1999,lifetime2000 b | 0 | | |
          SD5 the service refused it | a,made-992,suspect9,lifetime2000 b | 0 | | | 9
          SD2 it has just become idle, and a job is on its way | y:busy a,since-9,made-992,lifetime2000 demand=3/2 | 0 | | | 1
          SD6 out of refusals | a,made-992,lifetime2000 b spent=1 | 0 | | | 1
          DM7 unknown demand | a,made-992,lifetime2000 b demand=none | 0 | | a |
          RN22 a surplus goes first | x:busy a,made-992,lifetime2000 b | 0 | | a b |
          # the job is over, and the container does not end
          LV8 exiting for 59 s | a b h:busy,done7,seenDone-59 | 0 | | | 1
          LV8 exiting for 60 s: reported | a b h:busy,done7,seenDone-60 | 0 | | | 120
          LV8 exiting for 179 s | a b h:busy,done7,seenDone-179 | 0 | | | 1
          LV8 exiting for 180 s: removed | a b h:busy,done7,seenDone-180 | 0 | | h |
          LV8 its end is known | a b h:busy,done7,seenDone-900,ended-1,kept | 0 | | |
          LV8 it goes already | a b h:busy,done7,seenDone-900,terminating | 0 | | |
          LV8 it was asked to go | a b h:busy,done7,seenDone-900,asked | 0 | | |
          LV8 refused: the service is asked later | a b h:busy,done7,seenDone-900,suspect9 | 0 | | | 9
          LV8 refused long ago | a b h:busy,done7,seenDone-900,suspect0 | 0 | | h |
          LV8 its removal failed | a b h:busy,done7,seenDone-900,retry2 | 0 | | | 2
          I1 its job is not over | a b h:busy,seenDone-900 wanted=3 | 0 | | |
          I9 180 s, and its job still counts: another runner would be made for it | a b h:busy,done8,seenDone-180 wanted=3 | 0 | | | 420
          LV8 not weighed for 600 s: removed all the same | a b h:busy,done8,seenDone-600 wanted=3 | 0 | | h |
          LV8 not weighed while no runner is wanted, as while a set is deleted: 179 s | h:busy,done8,seenDone-179 wanted=0 | 0 | | | 1
          LV8 not weighed while no runner is wanted, as while a set is deleted: 180 s | h:busy,done8,seenDone-180 wanted=0 | 0 | | h |
          LV8 at replicas 0 it goes as well | h:busy,done7,seenDone-900 wanted=0 | 0 | | h |
          LV8 unknown demand removes it, too: it is no idle one | a b h:busy,done7,seenDone-900 demand=none | 0 | | h |
          SD6 out of refusals | a b h:busy,done7,seenDone-900 spent=1 | 0 | | | 1
          LV8 removals are under way | a b h:busy,done7,seenDone-900 underWay= | 0 | | |
          LV8 surplus runners go before it | a b c h:busy,done7,seenDone-900 | 0 | | a b c |
          """)
  void itIsPlanned(
      String rule,
      @Nullable String given,
      int made,
      @Nullable String deleted,
      @Nullable String chosen,
      @Nullable Integer look) {
    var situation = Situation.of(requireNonNullElse(given, ""));
    var plan = PlannerRows.plan(situation, NOW);
    assertThat(plan.create()).as("made").isEqualTo(made);
    assertThat(names(plan.finished())).as("deleted").isEqualTo(requireNonNullElse(deleted, ""));
    var removal = plan.removal();
    assertThat(removal == null ? "" : names(removal.candidates()))
        .isEqualTo(requireNonNullElse(chosen, ""));
    if (removal != null) {
      boolean all = removal.reason() == RemovalReason.FORMER_SCALE_SET;
      assertThat(removal.wanted()).isEqualTo(all ? removal.candidates().size() : 1);
    }
    assertThat(plan.requeue().at())
        .as("look")
        .isEqualTo(look == null ? null : NOW.plusSeconds(look));
  }

  private static String names(List<RunnerView> views) {
    return String.join(" ", views.stream().map(RunnerView::name).toList());
  }

  @Test
  void theSurplusIsRememberedFromItsBeginAndForgottenWithItsEnd() {
    var since = PlannerRows.plan(Situation.of("x:busy a b surplus=none"), NOW);
    assertThat(since.surplusSince()).isEqualTo(NOW);
    var stands = PlannerRows.plan(Situation.of("x:busy a b"), NOW);
    assertThat(stands.surplusSince()).isEqualTo(NOW.minusSeconds(60));
    assertThat(PlannerRows.plan(Situation.of("a"), NOW).surplusSince()).isNull();
  }
}
