package dev.runnerset.controller.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Events are written beside their callers, and a burst of them is not lost. */
final class EventWriterTest {
  private static final String SET = "uid-of-a-set";

  @Test
  void aCallerDoesNotWaitForASlowServer() throws InterruptedException {
    var answered = new CountDownLatch(1);
    List<String> written = new CopyOnWriteArrayList<>();
    try (var writer = new EventWriter(Duration.ofMillis(1))) {
      // were the write done in this call, the latch would never fall
      assertThat(writer.submit(SET, () -> hangs(answered))).isTrue();
      assertThat(writer.submit(SET, () -> written.add("next"))).isTrue();
      assertThat(written).isEmpty();
      answered.countDown();
      await().untilAsserted(() -> assertThat(written).containsExactly("next"));
    }
  }

  @Test
  void anObjectWhoseWriteHangsDoesNotHoldTheEventsOfAllOthers() {
    var answered = new CountDownLatch(1);
    List<String> written = new CopyOnWriteArrayList<>();
    try (var writer = new EventWriter(Duration.ofMillis(1))) {
      assertThat(writer.submit(SET, () -> hangs(answered))).isTrue();
      for (int i = 0; i < 100; i++) {
        var other = "uid-" + i;
        assertThat(writer.submit(other, () -> written.add(other))).isTrue();
      }
      await().untilAsserted(() -> assertThat(written).hasSizeGreaterThan(50));
      answered.countDown();
      await().untilAsserted(() -> assertThat(written).hasSize(100));
    }
  }

  private static boolean hangs(CountDownLatch answered) {
    try {
      answered.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @Test
  void aBurstIsWrittenInItsOrderAndWhatIsTooMuchIsRefused() {
    var answered = new CountDownLatch(1);
    List<Integer> written = new CopyOnWriteArrayList<>();
    try (var writer = new EventWriter(Duration.ofMillis(1))) {
      assertThat(writer.submit(SET, () -> hangs(answered))).isTrue();
      for (int i = 1; i < EventWriter.MOST_WAITING; i++) {
        int number = i;
        assertThat(writer.submit(SET, () -> written.add(number))).isTrue();
      }
      assertThat(writer.submit(SET, () -> written.add(-1))).isFalse();
      answered.countDown();
      await().until(() -> written.size() == EventWriter.MOST_WAITING - 1);
      assertThat(written).isSorted().doesNotContain(-1);
      assertThat(writer.submit(SET, () -> written.add(0))).isTrue();
    }
  }

  @Test
  void aWriteThatMaySucceedLaterIsTriedAgainAndGivenUpInTheEnd() {
    var tries = new AtomicInteger();
    var hopeless = new AtomicInteger();
    try (var writer = new EventWriter(Duration.ofMillis(1))) {
      assertThat(writer.submit(SET, () -> tries.incrementAndGet() == 3)).isTrue();
      assertThat(writer.submit(SET, () -> hopeless.incrementAndGet() < 0)).isTrue();
      await().until(() -> hopeless.get() == EventWriter.TRIES);
    }
    assertThat(tries).hasValue(3);
    assertThat(hopeless).hasValue(EventWriter.TRIES);
  }
}
