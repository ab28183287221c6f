package dev.runnerset.controller.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoriesTest {
  private static final Instant T0 = Instant.parse("2026-11-23T12:00:00Z");

  private final Memories memories = new Memories();
  private final Map<String, Integer> one = memories.byUid();
  private final Map<String, String> other = memories.byUid();

  @Test
  void whatNoCacheHasIsForgottenEverywhere() {
    one.put("a", 1);
    one.put("b", 1);
    other.put("b", "");
    other.put("c", "");
    memories.keepOnly(T0, () -> Set.of("a", "c", "d"));
    assertThat(one).containsOnlyKeys("a");
    assertThat(other).containsOnlyKeys("c");
  }

  @Test
  void onlyOnceInHalfAMinute() {
    memories.keepOnly(T0, Set::of);
    one.put("a", 1);
    memories.keepOnly(
        T0.plusSeconds(29),
        () -> {
          throw new AssertionError("it is too early");
        });
    assertThat(one).isNotEmpty();
    memories.keepOnly(T0.plusSeconds(30), Set::of);
    assertThat(one).isEmpty();
  }

  /** The cache has an object before anything is remembered of it. */
  @Test
  void anObjectThatComesMeanwhileIsKept() {
    memories.keepOnly(
        T0,
        () -> {
          one.put("new", 1);
          return Set.of();
        });
    assertThat(one).containsOnlyKeys("new");
  }
}
