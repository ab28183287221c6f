package dev.runnerset.controller.gc;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.gc.CollectionLedger.Pending;
import dev.runnerset.controller.gc.CollectionState.Change;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a set remembers of collections, and what the ledger carries to it. */
class CollectionStateTest {
  private static final SetKey SET = new SetKey("ns", "linux");
  private static final CollectionState TWO = new CollectionState(2, 2, T0);

  private static Change change(
      boolean releasing, @Nullable Pending pending, boolean assigned, @Nullable Instant lastJob) {
    return new Change(true, releasing, 4, pending, assigned, lastJob);
  }

  @Test
  void collectionsAddUpAndTheFirstSetsTheTime() {
    var first = CollectionState.NONE.after(change(true, new Pending(1, 1, T0), false, null));
    assertThat(first).isEqualTo(new CollectionState(1, 1, T0));
    var pending = new Pending(1, 1, T0.plusSeconds(9));
    assertThat(first.after(change(true, pending, false, null))).isEqualTo(TWO);
  }

  @Test
  void replaceReleasesNothing() {
    var state = CollectionState.NONE.after(change(false, new Pending(2, 0, T0), false, null));
    assertThat(state).isEqualTo(new CollectionState(0, 2, T0));
    assertThat(TWO.after(change(false, null, false, null)).released()).isZero();
  }

  @Test
  void withReleaseThePlacesStayEmptyUntilTheNextJobIsAssigned() {
    assertThat(TWO.after(change(true, null, false, null))).isEqualTo(TWO);
    assertThat(TWO.after(change(true, null, true, null))).isEqualTo(new CollectionState(0, 2, T0));
  }

  @ParameterizedTest(name = "a job {0} ms after the first collection")
  @CsvSource({"-1, 2", "0, 0", "1, 0"})
  void aJobThatStartedSinceEndsCountAndRelease(long after, int left) {
    var state = TWO.after(change(true, null, false, T0.plusMillis(after)));
    assertThat(state.collected()).isEqualTo(left);
    assertThat(state.released()).isEqualTo(left);
  }

  @Test
  void aCollectionAfterThatJobCountsFromOne() {
    var pending = new Pending(1, 1, T0.plusSeconds(60));
    assertThat(TWO.after(change(true, pending, false, T0.plusSeconds(30))))
        .isEqualTo(new CollectionState(1, 1, T0.plusSeconds(60)));
  }

  @Test
  void noMorePlacesAreReleasedThanThereAre() {
    var state = new CollectionState(4, 4, T0).after(new Change(true, true, 3, null, false, null));
    assertThat(state).isEqualTo(new CollectionState(3, 4, T0));
  }

  @Test
  void turnedOffNothingIsLeftOfIt() {
    assertThat(TWO.after(new Change(false, true, 4, null, false, null)))
        .isEqualTo(CollectionState.NONE);
  }

  @ParameterizedTest(name = "{0} collections, minRunners {1}")
  @CsvSource({"3,0,false", "4,0,true", "3,1,false", "4,1,true", "6,2,false", "7,2,true"})
  void theThrashGuardStartsAboveThreeRounds(int collected, int min, boolean thrashing) {
    assertThat(new CollectionState(0, collected, T0).isThrashing(min)).isEqualTo(thrashing);
  }

  @Test
  void aWipedStatusRemembersNothing() {
    assertThat(CollectionState.of(AutoScalingRunnerSetStatus.NONE)).isEqualTo(CollectionState.NONE);
    var half = "idleCollections: {count: 9}";
    assertThat(CollectionState.of(Serialization.unmarshal(half, AutoScalingRunnerSetStatus.class)))
        .isEqualTo(CollectionState.NONE);
  }

  @Test
  void placesAreHeldFromTheSweepUntilTheTargetIsLowered() {
    var ledger = new CollectionLedger();
    ledger.reserve(SET, 1);
    assertThat(ledger.reservedPlaces(SET, "uid", 4)).isEqualTo(1);
    ledger.reserve(SET, -1); // that runner stayed
    Sweeps.collected(ledger, SET, 2, true, T0);
    assertThat(ledger.reservedPlaces(SET, "uid", 4)).isEqualTo(2);
    var pending = ledger.pending(SET).orElseThrow();
    assertThat(pending).isEqualTo(new Pending(2, 2, T0));
    ledger.lowered(SET, "uid", 5);
    assertThat(ledger.reservedPlaces(SET, "uid", 4))
        .as("the status does not say it yet")
        .isEqualTo(2);
    ledger.reported(SET, pending);
    assertThat(ledger.pending(SET)).isEmpty();
    assertThat(ledger.reservedPlaces(SET, "uid", 4))
        .as("the target does not say it yet")
        .isEqualTo(2);
    ledger.lowered(SET, "uid", 5);
    assertThat(ledger.reservedPlaces(SET, "uid", 4))
        .as("the cache has not seen the target")
        .isEqualTo(2);
    assertThat(ledger.reservedPlaces(SET, "uid", 5)).isZero();
    assertThat(ledger.reservedPlaces(SET, "uid", 5)).as("once").isZero();
  }

  /** Somebody deletes the EphemeralRunnerSet before its lower target is seen. */
  @Test
  void aTargetThatIsMadeAnewHoldsNoPlacesThatItLeavesOut() {
    var ledger = new CollectionLedger();
    Sweeps.collected(ledger, SET, 1, true, T0);
    ledger.reported(SET, ledger.pending(SET).orElseThrow());
    ledger.lowered(SET, "uid", 57);
    assertThat(ledger.reservedPlaces(SET, "uid", 56)).isOne();
    assertThat(ledger.reservedPlaces(SET, "uid-2", 1)).isZero();
  }

  @Test
  void newsThatCameWhileItWasToldAreNotLost() {
    var ledger = new CollectionLedger();
    Sweeps.collected(ledger, SET, 2, false, T0);
    var pending = ledger.pending(SET).orElseThrow();
    Sweeps.collected(ledger, SET, 1, false, T0.plusSeconds(5));
    ledger.reported(SET, pending);
    assertThat(ledger.pending(SET)).map(Pending::collected).contains(1);
  }

  @Test
  void olderJobsAreNoNews() {
    var ledger = new CollectionLedger();
    ledger.jobStarted(SET, T0);
    ledger.jobStarted(SET, T0.minusSeconds(1));
    assertThat(ledger.lastJob(SET)).isEqualTo(T0);
    ledger.forget(SET);
    assertThat(ledger.lastJob(SET)).isNull();
  }
}
