package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.removal.FakeService;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** RN7: the counts are read again whatever became of a reading. */
final class CountsReaderTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  @Test
  void aFaultEndsTheReadingAndNotAllReadings() {
    RunnerConnections faulty =
        runner -> {
          throw new IllegalStateException("a fault");
        };
    var memory = new CountsMemory();
    var triggered = new ArrayList<String>();
    try (var threads = Executors.newSingleThreadExecutor()) {
      new CountsReader(
              faulty,
              threads,
              (namespace, name) -> triggered.add(name),
              Clock.fixed(NOW, ZoneOffset.UTC))
          .begin("ci", FakeService.runner("ci-1", 7), memory);
    } // waits for the reading
    assertThat(memory.beginReading(NOW)).as("the next reading begins").isTrue();
    assertThat(triggered).containsExactly("ci");
  }
}
