package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.RunnerPhase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who goes first (SD3). */
class RemovalOrderTest {
  record Pair(String rule, RunnerView first, RunnerView second) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Pair[] pairs() {
    return new Pair[] {
      pair(
          "SD3 Pending before Running, though younger",
          pending("z").since(T0.plusSeconds(9)),
          idle("a")),
      pair(
          "SD3 Pending before Running, both unready",
          pending("z").since(T0.plusSeconds(9)),
          idle("a").unready()),
      pair(
          "SD3 unready before ready, though younger",
          idle("z").unready().since(T0.plusSeconds(9)),
          idle("a")),
      pair(
          "SD3 not registered before registered, though younger",
          idle("z").unregistered().since(T0.plusSeconds(9)),
          idle("a")),
      pair(
          "SD3 Pending before not registered",
          pending("z"),
          idle("a").unregistered().since(T0.plusSeconds(9))),
      pair("SD3 longest idle first, by a second", idle("z").since(T0.minusSeconds(1)), idle("a")),
      pair(
          "SD3 youngest first among the unready: it is farthest from ready",
          idle("z").unready().since(T0.plusSeconds(1)),
          idle("a").unready()),
      pair(
          "SD3 youngest first among those that are not registered",
          idle("z").unregistered().since(T0.plusSeconds(1)),
          idle("a").unregistered()),
      pair(
          "SD3 youngest first among the pending",
          pending("z").since(T0.plusSeconds(1)),
          pending("a")),
      pair("SD3 tie by name", idle("a"), idle("b")),
      pair("SD3 tie by name among the pending", pending("a"), pending("b")),
    };
  }

  private static Pair pair(String rule, Runners first, Runners second) {
    return new Pair(rule, first.view(), second.view());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void theFirstOfAPairGoesFirstInBothDirections(Pair pair) {
    assertThat(Candidates.FIRST_TO_GO.compare(pair.first(), pair.second())).isNegative();
    assertThat(Candidates.FIRST_TO_GO.compare(pair.second(), pair.first())).isPositive();
  }

  @Test
  void whatIsNoneOfTheKeysMakesATie() {
    var plain = idle("a").view();
    var other = idle("a").suspectUntil(T0).retryAt(T0).view();
    assertThat(Candidates.FIRST_TO_GO.compare(plain, other)).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyOrderOfTheInputGivesTheSameOrder(long seed) {
    var wanted =
        List.of(
            pending("p-a").view(),
            pending("p-b").view(),
            pending("p-old").since(T0.minusSeconds(2)).view(),
            idle("u-young").unready().since(T0.plusSeconds(3)).view(),
            idle("u-old").unregistered().since(T0.minusSeconds(3)).view(),
            idle("i-oldest").since(T0.minusSeconds(9)).view(),
            idle("i-a").view(),
            idle("i-b").view(),
            idle("i-youngest").since(T0.plusSeconds(9)).view());
    var shuffled = new ArrayList<>(wanted);
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(order(shuffled, 0))
        .as("seed " + seed)
        .extracting(RunnerView::name)
        .isEqualTo(wanted.stream().map(RunnerView::name).toList());
  }

  /** The order when the service counts so many more busy runners than are marked. */
  private static List<RunnerView> order(List<RunnerView> runners, int unmarked) {
    var moment = new Situation(runners).demand(Runners.demand(T0, 1, 1, unmarked, 0)).at(T0);
    return RemovalPlanner.first(Candidates.ALL, Integer.MAX_VALUE, moment);
  }

  record Unmarked(String rule, int unmarked, List<String> order) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Unmarked[] unmarked() {
    return new Unmarked[] {
      new Unmarked("SD3 u = -1 changes nothing", -1, List.of("p", "u", "i1", "i2", "i3")),
      new Unmarked("SD3 u = 0 changes nothing", 0, List.of("p", "u", "i1", "i2", "i3")),
      new Unmarked("SD3 u = 1: the longest idle goes last", 1, List.of("p", "u", "i2", "i3", "i1")),
      new Unmarked("SD3 u = 2: the two longest idle", 2, List.of("p", "u", "i3", "i1", "i2")),
      new Unmarked("SD3 u = 3: all idle, in their order", 3, List.of("p", "u", "i1", "i2", "i3")),
      new Unmarked("SD3 u = 9: more than there are", 9, List.of("p", "u", "i1", "i2", "i3")),
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unmarked")
  void theLikeliestToBeBusyUnmarkedGoLast(Unmarked row) {
    var candidates =
        List.of(
            idle("i3").since(T0.plusSeconds(3)).view(),
            pending("p").view(),
            idle("i1").since(T0.plusSeconds(1)).view(),
            idle("u").phase(RunnerPhase.RUNNING).unready().view(),
            idle("i2").since(T0.plusSeconds(2)).view());
    assertThat(order(candidates, row.unmarked()))
        .extracting(RunnerView::name)
        .isEqualTo(row.order());
  }
}
