package dev.runnerset.controller.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rounds begin once, end, and begin again (AC6: only the leader collects, while it leads). */
final class FollowedTest {
  private final List<String> timer = new ArrayList<>();
  private @Nullable Runnable round;
  private final Followed rounds =
      Followed.rounds(
          (delay, period, task) -> {
            timer.add("after " + delay.toSeconds() + " s, every " + period.toSeconds() + " s");
            round = task;
            return () -> timer.add("ended");
          },
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          () -> {
            throw new IllegalStateException("the round");
          });

  @Test
  void roundsBeginOnceEndAndBeginAgain() {
    rounds.close();
    assertThat(timer).isEmpty();
    rounds.begin();
    rounds.begin();
    rounds.close();
    rounds.close();
    rounds.begin();
    var begun = "after 1 s, every 2 s";
    assertThat(timer).containsExactly(begun, "ended", begun);
  }

  /** Its caches may be emptied next: to a round that read them then, all objects would be gone. */
  @Test
  void closingWaitsForTheRoundThatIsUnderWay() throws Exception {
    var closer = Thread.currentThread();
    var begun = new CountDownLatch(1);
    var closed = new AtomicBoolean();
    var endedBefore = new AtomicBoolean();
    var running =
        Followed.onThread("round")
            .every(
                Duration.ZERO,
                Duration.ofHours(1),
                () -> {
                  begun.countDown();
                  while (closer.getState() != Thread.State.TIMED_WAITING && !closed.get()) {
                    Thread.onSpinWait();
                  }
                  endedBefore.set(!closed.get());
                });
    begun.await();
    running.close();
    assertThat(endedBefore).isTrue();
    closed.set(true);
  }

  @Test
  void aRoundThatFailsIsNoFailureOfTheTimer() {
    rounds.begin();
    assertThatCode(Objects.requireNonNull(round)::run).doesNotThrowAnyException();
  }
}
