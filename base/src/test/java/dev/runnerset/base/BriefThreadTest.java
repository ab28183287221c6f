package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a caller finds after a call on another thread. */
final class BriefThreadTest {
  @Test
  void theCallRunsOnAThreadOfItsOwnAndItsOutcomeIsTheCallers() {
    var own = Thread.currentThread();
    assertThat(BriefThread.call(() -> Thread.currentThread() == own)).isFalse();
    var failure = new IllegalStateException("refused");
    assertThatThrownBy(() ->
            BriefThread.call(() -> {
              throw failure;
            }))
        .isSameAs(failure);
    var error = new AssertionError("broken");
    assertThatThrownBy(() ->
            BriefThread.call(() -> {
              throw error;
            }))
        .isSameAs(error);
  }

  @Test
  void anInterruptEndsTheCallAndStands() {
    Thread.currentThread().interrupt();
    var ended =
        BriefThread.call(() -> {
          try {
            new CountDownLatch(1).await();
            return "never";
          } catch (InterruptedException e) {
            return "interrupted";
          }
        });
    assertThat(ended).isEqualTo("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
