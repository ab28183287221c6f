package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.EphemeralRunner;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SetMemoryTest {
  @Test
  void theEndOfTheLastRunnerIsSeenOnce() {
    var memory = Gathering.memory();
    assertThat(memory.losesItsLast(true)).as("it had none").isFalse();
    assertThat(memory.losesItsLast(false)).isFalse();
    assertThat(memory.losesItsLast(true)).isTrue();
    assertThat(memory.losesItsLast(true)).as("it is reported").isFalse();
  }

  @Test
  void afterAPassThatFailedAllRunnersAreReadAgain() {
    var runners = Gathering.memory().runners();
    assertThat(runners.startsOver()).as("the first pass").isTrue();
    assertThat(runners.startsOver()).as("it did not read them").isTrue();
    gather(runners, Map.of());
    assertThat(runners.startsOver()).isFalse();
    assertThatThrownBy(() -> gather(runners, Map.of("a", Optional.of(new EphemeralRunner()))))
        .isInstanceOf(RuntimeException.class);
    assertThat(runners.startsOver()).isTrue();
  }

  private static void gather(
      GatheredRunners runners, Map<String, Optional<EphemeralRunner>> changed) {
    var ofSet = new RunnerView.OfSet(0, true, Duration.ZERO);
    runners.update(
        new GatheredRunners.Basis("r", 1, null, ofSet, 0),
        changed,
        new RemovalMemory(),
        (runner, before) -> {
          throw new IllegalStateException("it cannot be read");
        },
        Runners.T0);
  }
}
