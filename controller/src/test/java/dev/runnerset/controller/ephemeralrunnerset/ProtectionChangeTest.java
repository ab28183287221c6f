package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Protection;
import org.junit.jupiter.api.Test;

/** The runners of a set look at their pods anew when its protection changes, and only then. */
final class ProtectionChangeTest {
  @Test
  void aChangeIsSeenOnce() {
    var memory = new SetMemory();
    assertThat(memory.protectionChanged(null)).as("at the start").isFalse();
    assertThat(memory.protectionChanged(Protection.BUSY)).as("the default").isFalse();
    assertThat(memory.protectionChanged(Protection.NONE)).isTrue();
    assertThat(memory.protectionChanged(Protection.NONE)).isFalse();
    assertThat(memory.protectionChanged(null)).isTrue();
  }
}
