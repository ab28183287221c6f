package dev.runnerset.controller.autoscalinglistener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ListenerReleaseTest {
  private static final Instant DELETED = Instant.parse("2026-11-21T12:00:00Z");

  private static AutoScalingListener listener(@Nullable String session) {
    var listener = new AutoScalingListener();
    listener.setMetadata(new ObjectMetaBuilder().withDeletionTimestamp(DELETED.toString()).build());
    listener.setStatus(
        AutoScalingListenerStatusBuilder.builder()
            .holder("l")
            .epoch(1L)
            .sessionId(session)
            .build());
    return listener;
  }

  @Test
  void goesAtOnceWithoutASession() {
    assertThat(ListenerRelease.at(listener(null), DELETED)).isEqualTo(DELETED);
    assertThat(ListenerRelease.at(listener(""), DELETED)).isEqualTo(DELETED);
    assertThat(ListenerRelease.at(withoutStatus(), DELETED)).isEqualTo(DELETED);
  }

  @Test
  void waitsForTheSessionForThirtySeconds() {
    for (int after : new int[] {0, 29, 30, 31}) {
      assertThat(ListenerRelease.at(listener("s"), DELETED.plusSeconds(after)))
          .isEqualTo(DELETED.plusSeconds(30));
    }
  }

  private static AutoScalingListener withoutStatus() {
    var listener = listener(null);
    listener.setStatus(null);
    return listener;
  }
}
