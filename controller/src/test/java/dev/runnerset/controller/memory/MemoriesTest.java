package dev.runnerset.controller.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.memory.Slots.Slot;
import org.junit.jupiter.api.Test;

class MemoriesTest {
  private static final Slot<Integer> ONE = new Slot<>();
  private static final Slot<Integer> OTHER = new Slot<>(0);

  private final Memories memories = new Memories();
  private final Slots a = memories.of("a");
  private final Slots b = memories.of("b");

  @Test
  void aSlotHoldsItsFirstValueUntilItIsChanged() {
    assertThat(a.get(OTHER)).isZero();
    assertThat(a.change(OTHER, value -> value + 1)).isEqualTo(1);
    assertThat(a.put(OTHER, 2)).isEqualTo(1);
    assertThat(a.get(OTHER)).isEqualTo(2);
    assertThat(b.get(OTHER)).as("another object").isZero();
    assertThat(a.find(ONE)).as("another slot").isNull();
    assertThat(a.clear(OTHER)).isEqualTo(2);
    assertThat(a.get(OTHER)).isZero();
  }

  @Test
  void aValueIsBegunOnceAndThenStands() {
    assertThat(a.begin(ONE, () -> 1)).isEqualTo(1);
    assertThat(a.begin(ONE, () -> 2)).isEqualTo(1);
    assertThat(a.begin(OTHER, () -> 3)).as("the first value was not put there").isEqualTo(3);
    assertThat(memories.all(ONE)).containsOnlyKeys("a");
  }

  @Test
  void whoOnlyReadsLeavesNothing() {
    assertThat(a.find(ONE)).isNull();
    assertThat(a.get(OTHER)).isZero();
    assertThat(a.clear(ONE)).isNull();
    assertThat(memories.all(OTHER)).isEmpty();
  }

  @Test
  void whatIsGoneIsForgottenEverywhereAlsoIfAPassIsStillUnderWay() {
    a.put(ONE, 1);
    b.put(ONE, 1);
    b.put(OTHER, 1);
    memories.isGone("b");
    assertThat(memories.all(ONE)).containsOnlyKeys("a");
    assertThat(b.get(OTHER)).isZero();
    b.put(OTHER, 2); // by a pass that was under way
    memories.isGone("c");
    assertThat(b.get(OTHER)).isZero();
  }

  /** As a set that another controller had, and that is taken over when that one ends. */
  @Test
  void whatIsReleasedMayBeRememberedAgain() {
    a.put(ONE, 1);
    memories.release("a");
    assertThat(a.find(ONE)).isNull();
    a.put(ONE, 2);
    memories.isGone("b");
    assertThat(a.find(ONE)).isEqualTo(2);
  }
}
