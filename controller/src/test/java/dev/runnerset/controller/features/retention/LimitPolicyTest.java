package dev.runnerset.controller.features.retention;

import static dev.runnerset.controller.ephemeralrunner.outcome.Finished.limits;
import static dev.runnerset.controller.ephemeralrunner.outcome.Finished.runner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.outcome.Finished;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LimitPolicyTest {
  record Row(String rule, @Nullable Retention limits, List<Finished> runners, String gone) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Finished s(String name, int second) {
    return runner(name).succeeded().created(at(second));
  }

  private static Finished f(String name, int second) {
    return runner(name).failed().created(at(second));
  }

  private static String at(int second) {
    return "2026-11-20T11:00:%02dZ".formatted(second);
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("RT9: at the limit", limits(null, 2), List.of(s("a", 1), s("b", 2)), ""),
        new Row("RT9: one over", limits(null, 1), List.of(s("b", 1), s("a", 2)), "b"),
        new Row(
            "RT9: oldest created first, whenever they ended",
            limits(null, 1),
            List.of(
                s("a", 3).since("2026-11-20T12:00:00Z"),
                s("b", 1).since("2026-11-20T12:00:09Z"),
                s("c", 2).since("2026-11-20T12:00:05Z")),
            "b c"),
        new Row(
            "e9: equal seconds, by name",
            limits(null, 1),
            List.of(s("c", 1), s("a", 1), s("b", 1)),
            "a b"),
        new Row(
            "RT9: per bucket",
            limits(1, 2),
            List.of(s("s1", 1), f("f1", 2), s("s2", 3), f("f2", 4), f("f3", 5)),
            "f1 f2"),
        new Row("RT5: no limit for the bucket", limits(1, null), List.of(s("a", 1), s("b", 2)), ""),
        new Row("RT5: no block", null, List.of(s("a", 1), f("b", 2)), ""),
        new Row(
            "RT13: no rule: the last three failed ones stay",
            null,
            List.of(f("a", 1), f("b", 2), f("c", 3), f("d", 4), s("s", 0)),
            "a"),
        new Row(
            "RT13: a block without a rule is none",
            limits(null, null),
            List.of(f("a", 1), f("b", 2), f("c", 3), f("d", 4)),
            "a"),
        new Row(
            "RT13: a rule for succeeded ones alone changes nothing for failed ones",
            limits(null, 9),
            List.of(f("a", 1), f("b", 2), f("c", 3), f("d", 4)),
            "a"),
        new Row(
            "RT5: those that a limit kept stay when it is removed, and are none of the default's",
            null,
            List.of(
                f("a", 1).keptBy(KeptBy.RULE),
                f("b", 2).keptBy(KeptBy.RULE),
                f("c", 3),
                f("d", 4),
                f("e", 5),
                f("f", 6).keptBy(KeptBy.DEFAULT)),
            "c"),
        new Row(
            "RT5: a limit counts all failed ones, whatever kept them",
            limits(1, null),
            List.of(f("a", 1).keptBy(KeptBy.RULE), f("b", 2).keptBy(KeptBy.DEFAULT), f("c", 3)),
            "a b"),
        new Row(
            "RT2: runners with a time of their own are kept by that",
            null,
            List.of(f("a", 1).ttl("1h", null), f("b", 2), f("c", 3), f("d", 4), f("e", 5)),
            "b"),
        new Row(
            "RT9: the rest is untouched",
            limits(1, 1),
            List.of(
                s("a", 9),
                runner("b").created(at(1)),
                runner("c").created(at(1)).condition("Unknown"),
                runner("d").created(at(1)).phase(RunnerPhase.FAILED)),
            ""),
        new Row(
            "e10: terminating ones neither go nor count",
            limits(null, 1),
            List.of(s("a", 1).terminating(), s("b", 2)),
            ""),
        new Row(
            "RT10: retained ones neither go nor count",
            limits(null, 1),
            List.of(s("a", 1).retained(), s("b", 2), s("c", 3)),
            "b"),
        new Row("0 is no limit", limits(null, 0), List.of(s("a", 1), s("b", 2)), ""),
        new Row("101 is no limit", limits(null, 101), List.of(s("a", 1), s("b", 2)), ""),
        new Row(
            "a runner without a creation time goes last",
            limits(null, 1),
            List.of(runner("a").succeeded().created("?"), s("b", 2)),
            "b"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void chooses(Row row) {
    var runners = row.runners().stream().map(Finished::made).toList();
    assertThat(names(LimitPolicy.surplus(runners, row.limits(), Set.of()))).isEqualTo(row.gone());
  }

  @Test
  void doesNotAskTwiceForOneThatTheCacheStillShows() {
    var runners = List.of(s("a", 1).made(), s("b", 2).made(), s("c", 3).made());
    assertThat(names(LimitPolicy.surplus(runners, limits(null, 1), Set.of("uid-a"))))
        .isEqualTo("b");
  }

  @Test
  void aHundredIsALimit() {
    var runners = new ArrayList<EphemeralRunner>();
    for (int i = 0; i < 101; i++) {
      runners.add(s("r%03d".formatted(i), i % 60).made());
    }
    assertThat(LimitPolicy.surplus(runners, limits(null, 100), Set.of())).hasSize(1);
  }

  private static String names(List<EphemeralRunner> surplus) {
    return String.join(" ", surplus.stream().map(LimitPolicyTest::name).toList());
  }

  private static String name(EphemeralRunner runner) {
    return runner.getMetadata().getName();
  }

  private static @Nullable Integer failedLimit(Retention limits) {
    var limit = limits.failedLimit();
    return limit == null || limit == 0 ? Integer.valueOf(3) : limit;
  }

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  /** Against a slow choice that strikes the oldest off, one at a time. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agreesWithTheNaiveChoice(long seed) {
    var random = new Random(seed);
    var runners = new ArrayList<EphemeralRunner>();
    var asked = new HashSet<String>();
    int count = random.nextInt(25);
    for (int i = 0; i < count; i++) {
      var made = runner("r" + random.nextInt(1000) + "-" + i).created(at(random.nextInt(6)));
      made.condition(new String[] {null, "Unknown", "True", "False", "True"}[random.nextInt(5)]);
      if (random.nextInt(6) == 0) {
        made.terminating();
      }
      if (random.nextInt(6) == 0) {
        made.retained();
      }
      var runner = made.made();
      if (random.nextInt(8) == 0) {
        asked.add(runner.getMetadata().getUid());
      }
      runners.add(runner);
    }
    var limits =
        limits(
            random.nextBoolean() ? null : random.nextInt(6),
            random.nextBoolean() ? null : random.nextInt(6));
    var expected = new ArrayList<String>();
    expected.addAll(naive(runners, asked, "True", limits.succeededLimit()));
    expected.addAll(naive(runners, asked, "False", failedLimit(limits)));
    Collections.shuffle(runners, random); // any order of the cache, the same choice
    var surplus = LimitPolicy.surplus(runners, limits, asked);
    assertThat(surplus.stream().map(LimitPolicyTest::name).toList())
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(surplus)
        .as("order, seed %d", seed)
        .isSortedAccordingTo(
            java.util.Comparator.comparing(
                    (EphemeralRunner r) -> r.getMetadata().getCreationTimestamp())
                .thenComparing(LimitPolicyTest::name));
  }

  private static List<String> naive(
      List<EphemeralRunner> runners, Set<String> asked, String status, @Nullable Integer limit) {
    var left = new ArrayList<EphemeralRunner>();
    for (var runner : runners) {
      var conditions = runner.getStatus().conditions();
      boolean inBucket = !conditions.isEmpty() && conditions.getFirst().getStatus().equals(status);
      boolean kept =
          "true".equals(runner.getMetadata().getAnnotations().get("runnerset.dev/retain"));
      boolean going = runner.getMetadata().getDeletionTimestamp() != null;
      if (inBucket && !kept && !going && !asked.contains(runner.getMetadata().getUid())) {
        left.add(runner);
      }
    }
    var gone = new ArrayList<String>();
    while (limit != null && limit > 0 && left.size() > limit) {
      EphemeralRunner oldest = left.getFirst();
      for (var runner : left) {
        int byTime =
            runner
                .getMetadata()
                .getCreationTimestamp()
                .compareTo(oldest.getMetadata().getCreationTimestamp());
        if (byTime < 0 || (byTime == 0 && name(runner).compareTo(name(oldest)) < 0)) {
          oldest = runner;
        }
      }
      left.remove(oldest);
      gone.add(name(oldest));
    }
    return gone;
  }
}
