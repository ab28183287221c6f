package dev.runnerset.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PlacesTest {
  private final Places places = new Places(List.of("a", "b"), 2);

  @Test
  void podsSpreadAndThenWaitInLine() {
    assertThat(places.request().join()).isEqualTo("a");
    var second = places.request();
    assertThat(second.join()).isEqualTo("b");
    assertThat(places.request().join()).isEqualTo("a");
    assertThat(places.request().join()).isEqualTo("b");
    var waits = places.request();
    var leaves = places.request();
    assertThat(waits).isNotDone();
    assertThat(places.shortage()).isEqualTo("0/2 nodes are available: 2 Too many pods.");
    places.giveUp(leaves);
    places.giveUp(second);
    assertThat(waits.join()).isEqualTo("b");
  }

  @Test
  void aCordonedNodeTakesNoPodUntilItIsUncordoned() {
    places.cordon("a", true);
    places.cordon("foreign", true);
    assertThat(places.request().join()).isEqualTo("b");
    places.cordon("b", true);
    var waits = places.request();
    assertThat(waits).isNotDone();
    assertThat(places.shortage())
        .isEqualTo("0/2 nodes are available: 2 node(s) were unschedulable.");
    places.cordon("a", false);
    assertThat(waits.join()).isEqualTo("a");
  }

  @Test
  void aPodThatIsBoundKeepsItsPlaceWhateverTheNodeTakes() {
    places.cordon("a", true);
    var there = places.occupy("a");
    assertThat(there.join()).isEqualTo("a");
    places.cordon("a", false);
    assertThat(places.request().join()).isEqualTo("b");
    assertThat(places.request().join()).isIn("a", "b");
    assertThat(places.request().join()).isIn("a", "b");
    assertThat(places.request()).isNotDone();
  }
}
