package dev.runnerset.listener.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.listener.session.context.KubeRefusal;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** How many requests of all loops are under way, and what becomes of the others. */
final class PacedRequestsTest {
  private final PacedRequests requests = new PacedRequests(2, Duration.ZERO);

  private IntUnaryOperator paced() {
    return requests.of(IntUnaryOperator.class, this::nested);
  }

  /** As many requests in one another as the number says: all of them are under way at once. */
  private int nested(int left) {
    return left == 0 ? 0 : 1 + paced().applyAsInt(left - 1);
  }

  @Test
  void whatGetsNoTurnIsRefusedAndComesBack() {
    assertThat(paced().applyAsInt(1)).isEqualTo(1);
    assertThatThrownBy(() -> paced().applyAsInt(2))
        .isInstanceOfSatisfying(
            KubeRefusal.class, e -> assertThat(e.kind()).isEqualTo(KubeRefusal.Kind.UNAVAILABLE));
    assertThat(paced().applyAsInt(1)).as("a turn is given back, also by a failure").isEqualTo(1);
  }
}
