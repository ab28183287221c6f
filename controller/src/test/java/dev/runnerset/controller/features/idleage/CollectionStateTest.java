package dev.runnerset.controller.features.idleage;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a set remembers of collections (AC8, AC10). */
class CollectionStateTest {
  private static final CollectionState TWO = new CollectionState(2, 2, T0, 0);

  private static AgeSweep sweep(int removed, int minRunners, boolean releasing, Instant at) {
    var sweep =
        new AgeSweep(Duration.ofHours(1), Duration.ofMinutes(2), minRunners, releasing)
            .boundedBy(removed);
    for (int i = 0; i < removed; i++) {
      sweep = sweep.begin(at).end(new Outcome.Removed());
    }
    return sweep;
  }

  @Test
  void collectionsAddUpAndTheFirstSetsTheTime() {
    var first = CollectionState.NONE.after(sweep(1, 4, true, T0));
    assertThat(first).isEqualTo(new CollectionState(1, 1, T0, 0));
    assertThat(first.after(sweep(1, 4, true, T0.plusSeconds(9)))).isEqualTo(TWO);
  }

  @Test
  void replaceReleasesNothing() {
    assertThat(CollectionState.NONE.after(sweep(2, 4, false, T0)))
        .isEqualTo(new CollectionState(0, 2, T0, 0));
    assertThat(TWO.after(sweep(0, 4, false, T0)).released()).isZero();
  }

  @Test
  void withReleaseThePlacesStayEmptyUntilMoreJobsAreAssigned() {
    assertThat(TWO.after(sweep(0, 4, true, T0))).isEqualTo(TWO);
    assertThat(TWO.filled()).isEqualTo(new CollectionState(0, 2, T0, 0));
  }

  @ParameterizedTest(name = "a job {0} ms after the first collection")
  @CsvSource({"-1, 2", "0, 0", "1, 0"})
  void aJobThatStartedSinceEndsCountAndRelease(long after, int left) {
    var state = TWO.untilJob(T0.plusMillis(after));
    assertThat(state.collected()).isEqualTo(left);
    assertThat(state.released()).isEqualTo(left);
  }

  @Test
  void noMorePlacesAreReleasedThanThereAre() {
    assertThat(TWO.after(sweep(2, 3, true, T0))).isEqualTo(new CollectionState(3, 4, T0, 0));
  }

  @Test
  void aSweepThatFailsStandsUntilTheNextOneOrUntilTheSetIsLeftOut() {
    var failed =
        new AgeSweep(Duration.ofHours(1), Duration.ofMinutes(2), 1, false)
            .boundedBy(1)
            .begin(T0)
            .end(new Outcome.Failed(RunnerReason.UNKNOWN, "no answer"));
    var state = TWO.after(failed);
    assertThat(state.failing()).startsWith("1 of the runners");
    assertThat(state.after(sweep(0, 1, false, T0)).failing()).isNull();
    assertThat(state.withoutSweep().failing()).isNull();
  }

  @ParameterizedTest(name = "{0} collections, minRunners {1}")
  @CsvSource({"3,0,false", "4,0,true", "3,1,false", "4,1,true", "6,2,false", "7,2,true"})
  void theThrashGuardStartsAboveThreeRounds(int collected, int min, boolean thrashing) {
    var words = new CollectionState(0, collected, T0, 0).thrashing(min);
    assertThat(words != null).isEqualTo(thrashing);
    assertThat(words == null || words.startsWith(collected + " runners")).isTrue();
  }

  @ParameterizedTest(name = "{0} released, {1} collected, {2} failed")
  @CsvSource({"0,0,0", "2,3,0", "0,3,1", "0,0,2"})
  void theStatusRemembersIt(int released, int collected, int failed) {
    var state = new CollectionState(released, collected, collected == 0 ? null : T0, failed);
    var status =
        EphemeralRunnerSetStatusBuilder.builder()
            .releasedIdle(state.releasedIdle())
            .idleCollections(state.idleCollections())
            .build();
    assertThat(CollectionState.of(status)).isEqualTo(state);
  }

  @Test
  void aWipedStatusRemembersNothing() {
    assertThat(CollectionState.of(EphemeralRunnerSetStatus.NONE)).isEqualTo(CollectionState.NONE);
    var half = "idleCollections: {count: 9}";
    assertThat(CollectionState.of(Serialization.unmarshal(half, EphemeralRunnerSetStatus.class)))
        .isEqualTo(CollectionState.NONE);
  }
}
