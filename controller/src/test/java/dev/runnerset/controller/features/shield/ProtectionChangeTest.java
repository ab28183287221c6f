package dev.runnerset.controller.features.shield;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.Protection;
import org.junit.jupiter.api.Test;

/** The runners of a set look at their pods again when its protection changes, and only then. */
final class ProtectionChangeTest {
  @Test
  void aChangeIsSeenOnce() {
    var slots = new Memories().of("set");
    assertThat(Shields.isChanged(slots, null)).as("at the start").isFalse();
    assertThat(Shields.isChanged(slots, Protection.BUSY)).as("the default").isFalse();
    assertThat(Shields.isChanged(slots, Protection.NONE)).isTrue();
    assertThat(Shields.isChanged(slots, Protection.NONE)).isFalse();
    assertThat(Shields.isChanged(slots, null)).isTrue();
  }
}
