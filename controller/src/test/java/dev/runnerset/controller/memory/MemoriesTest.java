package dev.runnerset.controller.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoriesTest {
  private final Memories memories = new Memories();
  private final Map<String, Integer> one = memories.byUid();
  private final Map<String, String> other = memories.byUid();

  @Test
  void whatIsGoneIsForgottenEverywhereAlsoIfAPassIsStillUnderWay() {
    one.put("a", 1);
    one.put("b", 1);
    other.put("b", "");
    memories.isGone("b");
    assertThat(one).containsOnlyKeys("a");
    assertThat(other).isEmpty();
    other.put("b", "by a pass that was under way");
    memories.isGone("c");
    assertThat(other).isEmpty();
  }

  /** As a set that another controller had, and that is taken over when that one ends. */
  @Test
  void whatIsReleasedMayBeRememberedAgain() {
    one.put("a", 1);
    memories.release("a");
    assertThat(one).isEmpty();
    one.put("a", 2);
    memories.isGone("b");
    assertThat(one).containsOnlyKeys("a");
  }
}
