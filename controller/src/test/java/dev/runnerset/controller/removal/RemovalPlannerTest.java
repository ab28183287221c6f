package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Situation.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.crds.RunnerPhase;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which surplus runners may go (SD1 to SD4), one row a rule. */
class RemovalPlannerTest {
  /**
   * What is given, as {@link Situation#of} reads it, who goes in their order, and the seconds until
   * the next look.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # who may be asked for
          SD1 an idle one | r demand=1/1 | r |
          SD1 a pending one | r:pending demand=1/1 | r |
          SD1 busy | r:busy demand=1/1 | |
          SD1 busy and pending: the mark came before the start | r:busy,unready,PENDING demand=1/1 | |
          I1 its job is over, its container exits | r:busy,done1 demand=1/1 | |
          SD1 terminating | r,terminating demand=1/1 | |
          LV5 asked to go already | r,asked demand=1/1 | |
          SD1 succeeded | r,SUCCEEDED demand=1/1 | |
          SD1 failed | r,FAILED demand=1/1 | |
          SD1 outdated | r,OUTDATED demand=1/1 | |
          SD1 its container ended | r,ended-1 demand=1/1 | |
          SD5 suspect, 1 s left | r,suspect1 demand=1/1 | | 1
          SD5 suspect until now | r,suspect0 demand=1/1 | r |
          SD5 suspect until a second ago | r,suspect-1 demand=1/1 | r |
          SD5 a suspect whose container ended | r,suspect9,ended0 demand=1/1 | |
          SD5 failed, 1 s of backoff left | r,retry1 demand=1/1 | | 1
          SD5 failed, backoff over now | r,retry0 demand=1/1 | r |
          SD5 failed, backoff over | r,retry-1 demand=1/1 | r |
          SD5 the earliest of many looks | a,suspect9 b,retry7 c,suspect8 demand=1/1/9/0/9@-300 | | 7
          # who has just become idle, while a job is on its way
          SD2 idle for 9 s | r,since-9 demand=2/1/2/1/1@-300 | | 1
          SD2 idle for 10 s | r,since-10 demand=2/1/2/1/1@-300 | r |
          SD2 idle for 11 s | r,since-11 demand=2/1/2/1/1@-300 | r |
          SD2 idle just now | r,since0 demand=2/1/2/1/1@-300 | | 10
          SD2 not registered | r:pending,since-9 demand=2/1/2/1/1@-300 | r |
          SD2 no job on its way | r,since-9 demand=1/1/2/1/1@-300 | r |
          SD2 statistics behind: running > assigned | r,since-9 demand=1/2/2/1/1@-300 | r |
          SD2 only the young one is spared | old,since-10 young,since-4 demand=2/1/2/1/1@-300 | old | 6
          # the order
          SD3 runners with a failed removal go last | old,since-90,retry-1,failing a,since-50 p:pending,retry-1,failing b,since-50,retry-1 x:busy demand=3/3/4/1/3@-300 | a b p old |
          SD3 rank | b,since-50 a,since-50 p:pending old,since-90 x:busy demand=3/3/4/1/3@-300 | p old a b |
          SD3 two busy more than marked | b,since-50 a,since-50 p:pending old,since-90 x:busy demand=3/3/4/3/1@-300 | p b old a |
          SD3 a mark that is over is no mark | old,since-90 a,since-50 x:busy,done1 demand=3/3/4/1/3@-300 | a old |
          SD3 a mark that ended is no mark | old,since-90 a,since-50 x:busy,ended0 demand=3/3/4/1/3@-300 | a old |
          SD3 fewer busy than marked | b,since-50 a,since-50 p:pending old,since-90 x:busy demand=3/3/1/0/1@-300 | p old a b |
          # how many running ones may go
          SD4 one is idle | a,since-121 b,since-121 p:pending demand=1/1/1/0/1@-5 | p a | 115
          SD4 none is idle: the pending one goes all the same | a,since-121 b,since-121 p:pending demand=1/1/0/0/0@-5 | p | 115
          SD4 more are idle than there are | a,since-121 b,since-121 p:pending demand=1/1/9/0/9@-5 | p a b | 115
          SD4 one was removed since | a,since-121 b,since-121 p:pending demand=1/1/2/0/2@-5 removed=1 | p a | 115
          SD4 more were removed since than were idle | a,since-121 b,since-121 p:pending demand=1/1/1/0/1@-5 removed=2 | p | 115
          SD4 stale: 119 s | a,since-121 b,since-121 p:pending demand=1/1/0/0/0@-119 | p | 1
          SD4 stale: 120 s | a,since-121 b,since-121 p:pending demand=1/1/0/0/0@-120 | p a b |
          SD4 stale: 121 s | a,since-121 b,since-121 p:pending demand=1/1/0/0/0@-121 | p a b |
          SD4 heard before the youngest registered | a,since-90 b,since-50 demand=1/1/1/0/1@-51 | a b |
          SD4 heard as the youngest registered | a,since-90 b,since-50 demand=1/1/1/0/1@-50 | a b |
          SD4 heard after the youngest registered | a,since-90 b,since-50 demand=1/1/1/0/1@-49 | a | 71
          SD4 heard in the second in which the youngest started | a,since-90 b,since-50 demand=1/1/1/0/1@-49.1 | a b |
          SD4 two are registered, and one was online | a,since-9 b,since-8 demand=1/1/2/0/1@-7 | a b | 113
          SD4 one of three registered was online | a,since-9 b,since-8 demand=1/1/3/0/1@-7 | a b | 113
          SD4 nobody was on the way | a,since-9 b,since-8 demand=1/1/1/0/1@-7 | a | 113
          SD4 one was removed since | a,since-9 b,since-8 demand=1/1/3/0/1@-7 removed=1 | a b | 113
          SD4 one was removed since, and one was on the way | a,since-9 b,since-8 demand=1/1/2/0/1@-7 removed=1 | a | 113
          SD4 registered ones that are no candidates raise no bound | a,since-66 b,since-67 p:pending demand=1/1/9/0/1@-5 | p b | 115
          SD4 started a minute before it was heard | a,since-65 b,since-66 demand=1/1/9/0/1@-5 | b a | 115
          SD4 nothing said of registered ones | a,since-6 b,since-66 demand=1/1/-/0/0@-5 | b | 115
          SD4 a pending one's age does not matter | a,since-50 p:pending,since-1 demand=1/1/0/0/0@-5 | p | 115
          SD4 a busy one's age does not matter | a,since-50 b,since-49 x:busy,since-1 demand=1/1/2/1/1@-5 | a | 115
          SD4 those of another scale set are none of the surplus | o,since-300,former po:pending,former a,since-121 b,since-121 demand=1/1/1/0/1@-5 | a | 115
          SD4 the age of one of another scale set does not matter | o,since-1,former a,since-121 demand=1/1/0/0/0@-5 | | 115
          SD3 a mark of another scale set does not count among the service's busy runners | o:busy,former old,since-90 a,since-50 demand=1/1/2/1/1@-300 | a old |
          SD4 nothing said of idle | a demand=1/1/1/0@-5 | a |
          SD4 no instant | a demand=1/1/1/0/0 | a |
          SD4 no demand at all | a demand=none | a |
          """)
  void thoseGoWhoMayInTheirOrder(
      String rule, String given, @Nullable String go, @Nullable Integer look) {
    var moment = Situation.of(given).at(NOW);
    var plan = RemovalPlanner.plan(moment, 3);
    var names = plan.candidates().stream().map(RunnerView::name).toList();
    assertThat(String.join(" ", names)).isEqualTo(Objects.requireNonNullElse(go, ""));
    assertThat(moment.now().next().at()).isEqualTo(look == null ? null : NOW.plusSeconds(look));
    assertThat(plan.wanted()).isEqualTo(3);
    if (look != null && names.size() < moment.runners().size()) {
      var then = RemovalPlanner.plan(Situation.of(given).at(NOW.plusSeconds(look)), 3);
      assertThat(then.candidates().size()).as("at that instant").isGreaterThan(names.size());
    }
  }

  @Test
  void aPlanOfOverdueExitsHoldsOnlyRunnersWhoseJobIsOver() {
    var over = busy("r").completedIn(1).completionSeenAt(T0);
    var plan = OverdueExit.plan(new Situation(over, idle("i"), busy("b")).at(NOW));
    assertThat(plan).isNotNull();
    assertThat(plan.candidates()).extracting(RunnerView::name).containsExactly("r");
    assertThat(plan.wanted()).isOne();
    for (var never : List.of(busy("r"), idle("r"), busy("r").completedIn(1).endedAt(NOW))) {
      assertThatThrownBy(
              () -> new RemovalPlan(List.of(never.view()), 1, RemovalReason.EXIT_OVERDUE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void noPlanCanHoldARunnerWithAJobOrAnEndedOne() {
    for (var never :
        List.of(busy("r"), idle("r").endedAt(NOW), idle("r").phase(RunnerPhase.FAILED))) {
      assertThatThrownBy(() -> RemovalPlan.ofAll(Stream.of(never.view()), RemovalReason.SCALE_DOWN))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("I1");
    }
  }
}
