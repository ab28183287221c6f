package dev.runnerset.controller.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

/** Watches the API server's own count of deletions while they are under way. */
final class Paced {
  private Paced() {}

  /** Until so many were asked for; at no time more than the pace allows, nor one twice. */
  static void await(RetentionWorld world, int wanted, Duration between) {
    var until = Instant.now().plusSeconds(60);
    Instant first = null;
    long seen = 0;
    while (seen < wanted) {
      seen = world.requests("delete");
      var now = Instant.now();
      if (seen > 0 && first == null) {
        first = now.minusMillis(500); // it may have begun a little before we looked
      }
      if (first != null) {
        long allowed = Duration.between(first, now).dividedBy(between) + 4;
        assertThat(seen).as("deletions so far").isLessThanOrEqualTo(allowed);
      }
      assertThat(now).as("%d of %d", seen, wanted).isBefore(until);
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
    assertThat(Duration.between(first, Instant.now()))
        .as("not hammered")
        .isGreaterThan(between.multipliedBy(wanted - 1));
    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000);
    assertThat(world.requests("delete")).as("none is asked for twice").isEqualTo(wanted);
  }
}
