package dev.runnerset.controller.features.shield;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CordonedNodesTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private final CordonedNodes nodes = new CordonedNodes();

  /** A runner that came after the cordon tolerates it, and so would each of its successors. */
  @ParameterizedTest
  @CsvSource({"a,-60,true", "a,0,true", "a,29,true", "a,30,false", "b,-60,false", ",-60,false"})
  void aRunnerLeavesACordonedNodeUnlessItCameLater(String node, int madeAfter, boolean leaves) {
    nodes.cordoned("a", T0);
    assertThat(nodes.since(node, T0.plusSeconds(madeAfter))).isEqualTo(leaves ? T0 : null);
  }

  @Test
  void onlyTheFirstWordOfACordonIsNews() {
    assertThat(nodes.cordoned("a", T0)).isTrue();
    assertThat(nodes.cordoned("a", T0.plusSeconds(60))).isFalse();
    assertThat(nodes.since("a", T0.plusSeconds(60))).isNull();
    nodes.uncordoned("a");
    assertThat(nodes.since("a", T0)).isNull();
    assertThat(nodes.cordoned("a", T0.plusSeconds(90))).isTrue();
    assertThat(nodes.since("a", T0.plusSeconds(60))).isEqualTo(T0.plusSeconds(90));
  }
}
