package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SetMemoryTest {
  @Test
  void theEndOfTheLastRunnerIsSeenOnce() {
    var memory = new SetMemory();
    assertThat(memory.losesItsLast(true)).as("it had none").isFalse();
    assertThat(memory.losesItsLast(false)).isFalse();
    assertThat(memory.losesItsLast(true)).isTrue();
    assertThat(memory.losesItsLast(true)).as("it is told").isFalse();
  }
}
