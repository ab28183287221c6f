package dev.runnerset.controller.features.idleage;

import static dev.runnerset.controller.features.idleage.Aged.MAXIMUM;
import static dev.runnerset.controller.features.idleage.Aged.MINIMUM;
import static dev.runnerset.controller.features.idleage.Aged.NOW;
import static dev.runnerset.controller.features.idleage.Aged.choose;
import static dev.runnerset.controller.features.idleage.Aged.demand;
import static dev.runnerset.controller.features.idleage.Aged.going;
import static dev.runnerset.controller.features.idleage.Aged.idle;
import static dev.runnerset.controller.features.idleage.Aged.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which idle runners go for their age (AC2, AC3, AC5); the maximum age is an hour. */
class IdleAgePlannerTest {
  private static final long HOUR = MAXIMUM.toSeconds();
  private static final RunnerView WARM = idle("warm", 1);

  @ParameterizedTest(name = "idle for an hour and {0} s")
  @CsvSource({"-1, false", "0, false", "1, true"})
  void theMaximumIsStrictlyGreater(long more, boolean goes) {
    assertThat(going(choose(demand(0, 0), WARM, idle("old", HOUR + more))))
        .isEqualTo(goes ? List.of("old") : List.of());
  }

  @ParameterizedTest(name = "made 2 minutes and {0} s ago")
  @CsvSource({"-1, false", "0, true", "1, true"})
  void theMinimumIsInclusiveAndCountsFromTheCreationInWholeSeconds(long more, boolean goes) {
    var made =
        of(Runners.idle("old").since(NOW.minusSeconds(HOUR + 9)), MINIMUM.toSeconds() + more);
    assertThat(going(choose(demand(0, 0), WARM, made)))
        .isEqualTo(goes ? List.of("old") : List.of());
  }

  @Test
  void ac5TheOnlyOneThatIsOnlineStaysWhileAnotherDoesNotConnect() {
    var deaf = of(Runners.idle("deaf").unregistered().since(NOW.minusSeconds(5)), 5);
    var online = idle("online", 2 * HOUR);
    var jobs = demand(1, 0);
    assertThat(going(choose(jobs, online, deaf))).isEmpty();
    assertThat(going(choose(demand(0, 0), 2, List.of(online, deaf)))).isEmpty();
    assertThat(going(choose(jobs, online, WARM))).containsExactly("online");
    assertThat(going(choose(jobs, idle("online", 1), of(deafFor(2 * HOUR), 2 * HOUR)))).isEmpty();
  }

  private static Runners deafFor(long seconds) {
    return Runners.idle("deaf").unregistered().since(NOW.minusSeconds(seconds));
  }

  @Test
  void theAgeCountsFromIdleNotFromCreation() {
    var slowStarter = of(Runners.idle("slow").since(NOW.minusSeconds(60)), 10 * HOUR);
    assertThat(going(choose(demand(0, 0), WARM, slowStarter))).isEmpty();
  }

  @Test
  void anAgeThatIsNotKnownIsNeverOld() {
    // as the views have it: not ready, and the creation time in its place
    var unknown =
        of(Runners.idle("unknown").unready().since(NOW.minusSeconds(10 * HOUR)), 10 * HOUR);
    assertThat(going(choose(demand(0, 0), WARM, idle("x", 1), unknown))).isEmpty();
  }

  static Stream<Runners> never() {
    return Stream.of(
        Runners.busy("busy"),
        Runners.pending("unregistered"),
        Runners.idle("terminating").terminating(),
        Runners.idle("asked to go").askedToGo(),
        Runners.idle("suspect").suspectUntil(NOW.plusSeconds(1)),
        Runners.idle("failed just now").retryAt(NOW.plusSeconds(1)),
        Runners.idle("ended").endedAt(NOW.minusSeconds(1)),
        Runners.busy("completed").completedIn(3),
        Runners.idle("succeeded").phase(RunnerPhase.SUCCEEDED),
        Runners.idle("failed").phase(RunnerPhase.FAILED),
        Runners.idle("outdated").phase(RunnerPhase.OUTDATED));
  }

  @ParameterizedTest
  @MethodSource("never")
  void oneIdlePredicateDecides(Runners runner) {
    var old = of(runner.since(NOW.minusSeconds(10 * HOUR)), 10 * HOUR);
    assertThat(going(choose(demand(0, 0), WARM, idle("x", 1), old))).isEmpty();
  }

  @Test
  void aSuspicionThatIsOverCountsNoMore() {
    var runner = Runners.idle("old").suspectUntil(NOW).since(NOW.minusSeconds(2 * HOUR));
    assertThat(going(choose(demand(0, 0), WARM, of(runner, 2 * HOUR)))).containsExactly("old");
  }

  @Test
  void aPinnedOneStaysAndTheNextGoes() {
    assertThat(
            going(
                choose(
                    demand(0, 0),
                    of(Runners.idle("a").since(NOW.minusSeconds(9 * HOUR)).pinned(), 9 * HOUR),
                    idle("b", 2 * HOUR))))
        .containsExactly("b");
  }

  @ParameterizedTest(name = "{0} idle: {1} go")
  @CsvSource({"2,1", "3,1", "10,1", "19,1", "20,2", "29,2", "30,3", "200,20"})
  void oneInTenGoesAndNeverAll(int idle, int goes) {
    var runners = new ArrayList<RunnerView>();
    IntStream.range(0, idle).forEach(i -> runners.add(idle("r" + i, 2 * HOUR + i)));
    var plan = choose(demand(0, 0), 0, runners);
    assertThat(plan.wanted()).isEqualTo(goes).isLessThan(idle);
    assertThat(plan.reason()).isEqualTo(RemovalReason.AGE);
  }

  @ParameterizedTest(name = "{0} idle, {1} starting, minRunners {2}: {3} go")
  @CsvSource({
    "4, 0, 4, 1", // one goes, and is on its way again
    "3, 1, 4, 0", // its successor does not come up: the next stays
    "1, 3, 4, 0",
    "1, 0, 1, 1",
    "0, 1, 1, 0",
    "3, 2, 3, 1", // those are for jobs: the pool is whole
    "3, 0, 4, 1", // its place was released
    "29, 1, 30, 1",
    "28, 2, 30, 0",
    "27, 3, 30, 0",
  })
  void atMostOneSweepsWorthIsMissingAtAnyTime(int idle, int starting, int min, int goes) {
    var runners = new ArrayList<RunnerView>();
    IntStream.range(0, idle).forEach(i -> runners.add(idle("r" + i, 2 * HOUR + i)));
    IntStream.range(0, starting).forEach(i -> runners.add(of(Runners.pending("new" + i), 9)));
    assertThat(going(choose(demand(0, 0), min, runners))).hasSize(goes);
  }

  @Test
  void oneThatEndedOrGoesIsNoSuccessor() {
    var runners =
        List.of(
            idle("a", 2 * HOUR),
            idle("b", 2 * HOUR),
            of(Runners.pending("failed").phase(RunnerPhase.FAILED), 9),
            of(Runners.pending("going").terminating(), 9),
            of(Runners.pending("asked to go").askedToGo(), 9));
    assertThat(going(choose(demand(0, 0), 4, runners))).containsExactly("a");
  }

  @Test
  void theCapCountsAllIdleOnesNotOnlyTheOld() {
    var runners = new ArrayList<RunnerView>();
    IntStream.range(0, 15).forEach(i -> runners.add(idle("old" + i, 2 * HOUR)));
    IntStream.range(0, 15).forEach(i -> runners.add(idle("young" + i, 5)));
    assertThat(choose(null, 0, runners).wanted()).isEqualTo(3);
  }

  @Test
  void theOldestGoFirstThenByName() {
    var runners = new ArrayList<RunnerView>();
    IntStream.range(0, 27).forEach(i -> runners.add(idle("young" + i, 5)));
    runners.addAll(List.of(idle("b", 2 * HOUR), idle("c", 3 * HOUR), idle("a", 2 * HOUR)));
    var plan = choose(demand(0, 0), 0, runners);
    assertThat(plan.candidates()).extracting(RunnerView::name).containsExactly("c", "a", "b");
  }

  @ParameterizedTest(name = "assigned {0}, running {1}")
  @CsvSource({"0,0,true", "3,3,true", "3,2,false", "1,0,false"})
  void theOnlyIdleOneGoesIfNoJobIsOnItsWay(int assigned, int running, boolean goes) {
    assertThat(going(choose(demand(assigned, running), idle("only", 2 * HOUR))))
        .isEqualTo(goes ? List.of("only") : List.of());
  }

  @Test
  void theOnlyIdleOneStaysWhileDemandIsUnknown() {
    var runners = List.of(idle("only", 2 * HOUR));
    var fence = new Demand(1, 0, NOW, null, null, null, null, null, null, null, null);
    for (var unknown : new Demand[] {null, fence}) {
      assertThat(choose(unknown, 0, runners).candidates()).isEmpty();
    }
  }

  @Test
  void suspectsArePartOfNoPool() {
    var suspect = of(Runners.idle("s").suspectUntil(NOW.plusSeconds(60)), 2 * HOUR);
    assertThat(going(choose(demand(2, 1), suspect, idle("old", 2 * HOUR)))).isEmpty();
  }

  @Test
  void anEmptyPoolIsLeftAlone() {
    assertThat(choose(demand(0, 0)).candidates()).isEmpty();
    assertThat(IdleAgePlanner.allowed(0, demand(0, 0))).isZero();
  }

  @ParameterizedTest(name = "{0} idle now, {1} begun: at most {2} more")
  @CsvSource({"20,0,2", "20,1,3", "2,1,1", "1,0,1", "1,1,0", "0,0,0", "0,2,0"})
  void jobsThatTookIdleOnesMeanwhileKeepTheLast(int idleNow, int begun, int more) {
    var sweep = new AgeSweep(MAXIMUM, MINIMUM, 0, false).boundedBy(3 + begun);
    for (int i = 0; i < begun; i++) {
      sweep = sweep.begin(NOW);
    }
    var now = new ArrayList<RunnerView>();
    IntStream.range(0, idleNow).forEach(i -> now.add(idle("r" + i, 2 * HOUR)));
    assertThat(IdleAgePlanner.plan(sweep, Aged.moment(demand(9, 9), now)).wanted()).isEqualTo(more);
  }

  @Test
  void theOnlyOneIsAskedAgainWhetherAJobIsOnItsWay() {
    var only = List.of(idle("only", 2 * HOUR));
    var sweep = new AgeSweep(MAXIMUM, MINIMUM, 0, false).boundedBy(1);
    assertThat(IdleAgePlanner.plan(sweep, Aged.moment(demand(0, 0), only)).wanted()).isOne();
    assertThat(IdleAgePlanner.plan(sweep, Aged.moment(demand(1, 0), only)).wanted()).isZero();
  }

  @Test
  void aRemovalThatFailsIsAnothersTurnUpToTenTimesAndTheSecondErrorEndsTheSweep() {
    var sweep = new AgeSweep(MAXIMUM, MINIMUM, 0, false).boundedBy(3);
    for (int i = 0; i < AgeSweep.SPARE; i++) {
      sweep = sweep.begin(NOW).end(new Outcome.Refused());
      assertThat(sweep.leftNow()).as("after %d", i).isEqualTo(3);
    }
    assertThat(sweep.begin(NOW).end(new Outcome.Refused()).leftNow()).isZero();
    var error = new Outcome.Failed(RunnerReason.UNKNOWN, "no answer");
    sweep = new AgeSweep(MAXIMUM, MINIMUM, 0, false).boundedBy(3);
    assertThat(sweep.begin(NOW).end(error).leftNow()).isEqualTo(3);
    assertThat(sweep.begin(NOW).end(error).begin(NOW).end(error).leftNow()).isZero();
  }
}
