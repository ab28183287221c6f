package dev.runnerset.controller.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.testing.Fakes;
import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** RN7, RN20: passes and sweeps read the same counts, one at a time. */
final class CountsReaderTest {
  private static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");

  private final AtomicReference<AuditState> memory = new AtomicReference<>(AuditState.unknown());
  private int ended;
  private final TestClock clock = new TestClock(T0);

  private void read(ServiceConnections connections, Executor thread) {
    new CountsReader(connections, clock).read(Fakes.set(), memory, thread, () -> ended++);
  }

  @Test
  void aFaultEndsTheReadingAndNotAllReadings() {
    ServiceConnections faulty =
        key -> {
          throw new IllegalStateException("a fault");
        };
    read(faulty, Runnable::run);
    assertThat(memory.get().isReading()).isFalse();
    assertThat(memory.get().reads()).isEqualTo(1);
    assertThat(ended).isEqualTo(1);
  }

  @Test
  void whileOneReadsNobodyElseDoes() {
    var begun = new ArrayList<Runnable>();
    ServiceConnections none =
        key -> {
          throw new IllegalStateException("not asked");
        };
    read(none, begun::add);
    read(none, begun::add);
    assertThat(begun).hasSize(1);
  }

  @Test
  void theCountsAreOfTheMomentBeforeTheRequestWasSent() {
    var counted = new Statistics(0, 0, 3, 2, 5, 2, 1);
    var service =
        Fakes.fake(
            ActionsService.class,
            Map.of(
                "scaleSet",
                args -> {
                  clock.advance(Duration.ofSeconds(9));
                  return Optional.of(
                      new ScaleSet(
                          (ScaleSetId) Objects.requireNonNull(args[0]),
                          "linux",
                          new RunnerGroupId(1),
                          List.of(),
                          counted,
                          null,
                          null));
                }));
    read(key -> service, Runnable::run);
    assertThat(memory.get().read()).isEqualTo(new ServiceCounts(T0, 3, 2, 5, 2, 1));
  }
}
