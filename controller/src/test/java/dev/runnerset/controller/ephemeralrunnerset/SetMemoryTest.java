package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SetMemoryTest {
  private final SetMemory.ByUid memories = new SetMemory.ByUid();

  private SetMemory of(String uid, String... present) {
    return memories.of(uid, () -> Set.of(present));
  }

  @Test
  void aSetIsRememberedWhileItIsThere() {
    var a = of("a", "a");
    assertThat(of("b", "a", "b")).isNotSameAs(a);
    assertThat(of("a", "a", "b")).isSameAs(a);
  }

  @Test
  void setsThatAreGoneAreForgottenWhenANewOneComes() {
    var a = of("a", "a");
    var b = of("b", "a", "b");
    var _ = of("c", "b", "c");
    assertThat(of("b", "b", "c")).isSameAs(b);
    assertThat(of("a", "a", "b", "c")).isNotSameAs(a);
  }

  @Test
  void theEndOfTheLastRunnerIsSeenOnce() {
    var memory = new SetMemory();
    assertThat(memory.losesItsLast(true)).as("it had none").isFalse();
    assertThat(memory.losesItsLast(false)).isFalse();
    assertThat(memory.losesItsLast(true)).isTrue();
    assertThat(memory.losesItsLast(true)).as("it is told").isFalse();
  }
}
