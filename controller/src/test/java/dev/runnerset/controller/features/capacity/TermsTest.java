package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.capacity.OwnCharges.LiveRunner;
import dev.runnerset.controller.scaling.CapacityLimit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the terms leave of the capacity of a set (DM12, DM13). */
class TermsTest {
  private static final Instant T = Instant.parse("2026-11-28T10:00:00Z");
  private static final RunnerCost COST = Costs.cost("requests: {cpu: \"1\"}");

  private static Map<LiveRunner, Integer> runners(int withPod, int without) {
    return Stream.of(
            Map.entry(new LiveRunner(COST, true, true, false), withPod),
            Map.entry(new LiveRunner(COST, false, false, false), without))
        .filter(entry -> entry.getValue() > 0)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** {@code 3+2@1000}: 3 with a pod, 2 that start, at ms. */
  private static OwnWindow window(String samples) {
    OwnWindow window = null;
    for (var text : samples.strip().split(" ")) {
      var parts = text.split("[+@]");
      int pods = Integer.parseInt(parts[0]);
      int starting = Integer.parseInt(parts[1]);
      var sample =
          new OwnWindow.Sample(
              T.plusMillis(Long.parseLong(parts[2])),
              runners(pods, starting),
              runners(pods + starting, 0));
      window = window == null ? OwnWindow.of(sample) : window.with(sample);
    }
    return java.util.Objects.requireNonNull(window);
  }

  private static List<CapacityLimit> limits(
      String quota, OwnWindow own, @Nullable Integer share, @Nullable Integer before) {
    var facts =
        new QuotaFacts(
            List.of(Costs.quota("few", quota)),
            COST,
            own,
            share == null ? OptionalInt.empty() : OptionalInt.of(share),
            before == null ? null : new RoomTotal(before, T.minusSeconds(1)), // a rise has lasted
            T);
    return Terms.limits(
        new CapacityMoment(Optional.of(facts), Optional.empty(), Optional.empty()), 100);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // used/hard, own runners (with pod + starting @ ms), before: places
        "room for all of it                      | pods=0/20  | 0+0@0           |    | 20",
        "20 warm runners in a quota of 20        | pods=20/20 | 20+0@0          | 20 | 20",
        "others take 5                           | pods=5/20  | 0+0@0           | 20 | 15",
        "the pod is counted before we have it    | pods=1/20  | 0+1@0           | 20 | 20",
        "20 of them                              | pods=20/20 | 0+20@0          | 20 | 20",
        "we have it before it is counted         | pods=0/20  | 0+0@0 1+0@100   | 20 | 20",
        "it is gone, and still counted           | pods=20/20 | 20+0@0 15+0@100 | 20 | 20",
        "after 5 s what is used is believed      | pods=20/20 | 20+0@0 15+0@100 15+0@5100 | 20 | 15",
        "others take 5 meanwhile                 | pods=25/20 | 20+0@0 15+0@100 | 20 | 15",
        "the quota is lowered                    | pods=20/10 | 20+0@0          | 20 | 10",
        "the quota is raised                     | pods=20/30 | 20+0@0          | 20 | 30",
        "the quota is 0                          | pods=0/0   | 0+0@0           | 20 | 0",
        "the quota is 0 and 20 are there         | pods=20/0  | 20+0@0          | 20 | 0",
        "it admits none before it is computed    | pods=?/20  | 3+0@0           | 20 | 3",
        "the first look after a restart is careful | pods=10/20 | 0+10@0        |    | 10",
        "but keeps the number before             | pods=10/20 | 0+10@0          | 20 | 20",
      })
  void theTotalStandsStillWhileTheOwnRunnersComeAndGo(
      String rule, String quota, String own, @Nullable Integer before, int places) {
    assertThat(limits(quota, window(own), null, before))
        .extracting(CapacityLimit::places)
        .containsExactly(places);
  }

  @ParameterizedTest(name = "room for 20, a share of {0}: {1}")
  @CsvSource({"5, 5", "30, 20", "0, 0"})
  void aSetHasItsShareWhileThereIsRoom(int share, int places) {
    assertThat(limits("pods=0/20", window("0+0@0"), share, null).getFirst().places())
        .isEqualTo(places);
    assertThat(limits("pods=20/20", window("0+0@0"), share, null).getFirst().places())
        .as("no room")
        .isZero();
  }

  @Test
  void aLimitNamesTheQuotaAndWhatIsLeft() {
    var limit = limits("pods=17/20 requests.cpu=1/100", window("0+0@0"), null, null).getFirst();
    assertThat(limit.of()).isEqualTo("few: pods");
    assertThat(limit.sentence())
        .isEqualTo("quota few has room for 3 more runners: pods 3 of 20 left");
  }

  @Test
  void whatLeavesAsManyAsMaxRunnersIsNoLimit() {
    assertThat(limits("pods=0/100", window("0+0@0"), null, null)).isEmpty();
    assertThat(limits("count/configmaps=0/1", window("0+0@0"), null, null)).isEmpty();
  }

  @Test
  void startsAMinuteCountBesideTheLiveRunners() {
    var starts = new CapacityMoment.StartFacts(10, 4, StartTokens.of(10, 7, T));
    var limits =
        Terms.limits(
            new CapacityMoment(Optional.empty(), Optional.empty(), Optional.of(starts)), 100);
    assertThat(limits.getFirst().places()).isEqualTo(7);
    assertThat(limits.getFirst().sentence()).isEqualTo("3 of the 10 starts a minute are left");
  }
}
