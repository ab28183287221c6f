package dev.runnerset.controller.features.history;

import static dev.runnerset.controller.features.history.Histories.of;
import static dev.runnerset.controller.features.history.Histories.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.HistoryEntry.State;
import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rollout is dropped (HS1 to HS4). */
class HistoryPrunerTest {
  private static final HistoryPolicy POLICY = HistoryPolicy.DEFAULT;
  private static final HistoryPolicy EIGHT = POLICY.withMaxEntries(8);

  private static long rank(String words, int index) {
    return new HistoryRanking(of(words), POLICY).rank(index);
  }

  private static int dropped(String words, HistoryPolicy policy) {
    var removed = HistoryPruner.fit(of(words), policy).removed();
    return removed.isEmpty() ? -1 : removed.getFirst().index();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // of the entry with that index, newest first: its weight beside its place, and what it is
        "HS2 initial                                      | 5*C9.0.0 C1.1.1 C1.1.0               | 6 | 103000 | MINOR_BOOKEND",
        "HS2 the newest five                              | 9*C1.0.0                        | 4 | 100000 | OLDER",
        "HS2 and no sixth                                 | 9*C1.0.0                        | 5 | 0      | OLDER",
        "HS2 most recent completed under partials         | 7*P1.0.0 C1.0.0 P1.0.0 C1.0.0   | 7 | 103000 | MINOR_BOOKEND",
        "HS3 neighbours are completed ones                | 5*C9.0.0 C1.0.1 P2.0.0 C1.0.0 C1.0.0 C0.1.0 | 7 | 0 | OLDER",
        "HS3 per run, not once per minor   | 5*C9.0.0 C2.0.0 C1.0.0 C1.0.0 C2.0.0 C1.0.0 C1.0.0 | 7 | 3000  | MINOR_BOOKEND",
        "partial between minors, its own version is irrelevant | 5*C9.0.0 C2.0.0 P7.7.7 C1.9.0 C1.0.0 | 6 | 2000 | MINOR_TRANSITION",
        "partial within a minor                           | 5*C9.0.0 C2.0.2 P2.0.2 C2.0.1 C1.0.0 | 6 | -2000  | Z_STREAM",
        "the same version on both sides is a z-stream too | 5*C9.0.0 C2.0.2 P2.0.2 C2.0.2 C1.0.0 | 6 | -2000  | Z_STREAM",
        "HS2 the terms exclude each other                 | 5*C9.0.0 C2.1.5 P2.0.3 C2.0.2 C1.0.0 | 6 | 2000   | MINOR_TRANSITION",
        "partial older than every completion              | 5*C9.0.0 P1.0.0 P1.0.0 P1.0.0        | 6 | 0      | OLDER",
        "partial newer than every completion              | 8*P1.0.0 C1.0.0 C1.0.0          | 6 | 0      | OLDER",
        "HS7 2.9 and 2.10 differ                          | 5*C9.0.0 C2.10.0 C2.10.0 C2.9.0 C2.9.0 | 6 | 3000 | MINOR_BOOKEND",
        "HS7 not the minor number alone                   | 5*C9.0.0 C2.1.0 P1.1.0 C1.1.0 C1.1.0 | 6 | 2000   | MINOR_TRANSITION",
        "HS7 unknown versions of other images differ      | 5*C9.0.0 C?a P?x C?b C?b             | 6 | 2000   | MINOR_TRANSITION",
        "unknown versions of one image are one minor      | 5*C9.0.0 C?a P?x C?a C?b             | 6 | -2000  | Z_STREAM",
        "v and suffixes do not count            | 5*C9.0.0 Cv2.3.1-foo P2.3.1 C2.3.0+b C1.0.0    | 6 | -2000  | Z_STREAM",
      })
  void ranks(String rule, String history, int index, long weight, PruneReason reason) {
    assertThat(rank(history, index)).isEqualTo(weight - 1_01L * index);
    assertThat(new HistoryRanking(of(history), POLICY).reason(index)).isEqualTo(reason);
  }

  @Test
  void theWeightsAreThoseOfTheDocumentInExactHundredths() {
    assertThat(POLICY).isEqualTo(new HistoryPolicy(100, 5, 100_000, 3_000, 2_000, -2_000, -101));
  }

  /**
   * The crossover points of the reference: 101 candidates, an unprotected completion that ends its
   * minor at index 99 (-69.99) against another entry, whose index decides which of them goes.
   */
  @ParameterizedTest(name = "{0} at {1}: {2} goes")
  @CsvSource({
    "patch partial, 49, 99",
    "patch partial, 50, 50",
    "plain completion, 69, 99",
    "plain completion, 70, 70",
    "minor-transition partial, 89, 99",
    "minor-transition partial, 90, 90",
  })
  void crossoverPoints(String kind, int at, int goes) {
    // every other entry is completed and differs in minor from its neighbours: 30 each
    var words = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      boolean beside = kind.equals("patch partial") || kind.equals("plain completion");
      if (i == at && !kind.equals("plain completion")) {
        words.append("P5.5.5 ");
      } else if (beside && Math.abs(i - at) <= 1) {
        words.append("C5.5.5 ");
      } else {
        words.append("C1.").append(i).append(".0 ");
      }
    }
    assertThat(rank(words.toString(), 99)).isEqualTo(-69_99);
    assertThat(dropped(words.toString(), POLICY)).isEqualTo(goes);
  }

  /** Completed over partial holds up to 19 places, and so does transition over plain. */
  @Test
  void indexDominatesBeyondNineteenPlaces() {
    assertThat(20_00 - 1_01 * 19).isPositive();
    assertThat(20_00 - 1_01 * 20).isNegative();
    var filler = times(40, "C1.0.0");
    long partial = rank(filler + "P1.0.0 " + filler, 40);
    assertThat(rank(filler + "P1.0.0 " + filler, 59)).isGreaterThan(partial);
    assertThat(rank(filler + "P1.0.0 " + filler, 60)).isLessThan(partial);
  }

  @Test
  void nothingIsDroppedWhileItFits() {
    var entries = of(times(100, "P1.0.0"));
    var pruned = HistoryPruner.fit(entries, POLICY);
    assertThat(pruned.removed()).isEmpty();
    assertThat(pruned.entries()).isEqualTo(entries);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a ring buffer would drop the initial entry, 101, 100, 99",
    "counted from the old end recent entries would lose, 9, 8, 7",
  })
  void ofEqualOnesTheOlderGoesButTheInitialOneStays(String what, int entries, int most, int goes) {
    assertThat(dropped(times(entries, "P1.0.0"), POLICY.withMaxEntries(most))).isEqualTo(goes);
  }

  /** HS1: with the new entry in the list the sixth newest is no final one any more. */
  @Test
  void theNewEntryIsRankedWithTheOthers() {
    // at index 5 stands the only z-stream partial; before the new entry came it was one of five
    assertThat(dropped("C1.0.0 C1.0.0 C1.0.0 C1.0.0 C1.0.0 P1.0.0 C1.0.0 C1.0.0 C1.0.0", EIGHT))
        .isEqualTo(5);
    assertThat(dropped("C1.0.0 C1.0.0 C1.0.0 C1.0.0 P1.0.0 C1.0.0 C1.0.0 C1.0.0", EIGHT))
        .isEqualTo(-1);
  }

  /** HS1: a list that is much too long is brought down at once, ranked again each time. */
  @Test
  void anOverlongListIsPrunedUntilItFits() {
    var entries = of(times(60, "P1.0.0") + times(90, "C1.0.0"));
    var fitted = HistoryPruner.fit(entries, POLICY);
    assertThat(fitted.entries()).hasSize(100).contains(entries.getLast(), entries.get(60));
    assertThat(fitted.removed()).hasSize(50);
  }

  /** What an informer handed out is not changed. */
  @Test
  void theGivenListIsNotChanged() {
    var entries = of(times(101, "P1.0.0"));
    var before = List.copyOf(entries);
    var fitted = HistoryPruner.fit(java.util.Collections.unmodifiableList(entries), POLICY);
    assertThat(fitted.entries()).hasSize(100);
    assertThat(entries).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 6})
  void aSizeThatTheProtectedEntriesFillIsRejected(int size) {
    assertThatThrownBy(() -> POLICY.withMaxEntries(size)).hasMessageContaining("at least 7");
    assertThat(POLICY.withMaxEntries(7).maxEntries()).isEqualTo(7);
  }

  static LongStream seeds() {
    return LongStream.range(0, 400);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agreesWithTheSlowRanking(long seed) {
    var random = new SplittableRandom(seed);
    var entries = Histories.random(random, 1 + random.nextInt(160));
    var policy = POLICY.withMaxEntries(random.nextBoolean() ? 100 : 7 + random.nextInt(60));
    var slow = new SlowRanking(entries);
    var ranking = new HistoryRanking(entries, policy);
    for (int i = 0; i < entries.size(); i++) {
      assertThat(BigDecimal.valueOf(ranking.rank(i), 2))
          .as("seed %d, index %d", seed, i)
          .isEqualByComparingTo(slow.rank(i));
    }
    assertThat(HistoryPruner.fit(entries, policy).entries())
        .as("seed %d", seed)
        .isEqualTo(SlowRanking.fit(entries, policy.maxEntries()));
    var ranks = LongStream.range(0, entries.size()).map(i -> ranking.rank((int) i));
    assertThat(ranks.distinct().count())
        .as("seed %d: HS4, no ties", seed)
        .isEqualTo(entries.size());
  }

  /** One entry at a time, as in life: what must stay stays. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void keepsWhereItBeganWhatIsNewAndWhatWorkedLast(long seed) {
    var random = new SplittableRandom(seed);
    var life = Histories.random(random, 250);
    List<HistoryEntry> kept = List.of();
    for (int i = life.size() - 1; i >= 0; i--) {
      var next = new java.util.ArrayList<>(kept);
      next.addFirst(life.get(i));
      kept = HistoryPruner.fit(next, POLICY.withMaxEntries(20)).entries();
    }
    assertThat(kept).as("seed %d", seed).hasSize(20).contains(life.getLast());
    assertThat(kept.subList(0, 5)).as("seed %d", seed).isEqualTo(life.subList(0, 5));
    var latest = life.stream().filter(e -> e.state() == State.COMPLETED).findFirst();
    if (latest.isPresent()) {
      assertThat(kept).as("seed %d", seed).contains(latest.get());
    }
  }
}
