package dev.runnerset.controller.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Watches the API server's own count of deletions while they are under way. */
final class Paced {
  private Paced() {}

  /**
   * Starts the controller, and looks until so many were asked for; at no time more than the pace
   * allows, nor one twice.
   */
  static void await(RetentionWorld world, Runnable start, int wanted, Duration between) {
    var first = Instant.now(); // the last moment at which none was asked for yet
    var until = first.plusSeconds(60);
    var started = CompletableFuture.runAsync(start, task -> Thread.ofPlatform().start(task));
    long seen = 0;
    while (seen < wanted) {
      assertThat(started).as("the start").isNotCompletedExceptionally();
      var before = Instant.now();
      seen = world.requests("delete");
      var now = Instant.now();
      if (seen == 0) {
        first = before;
      }
      long allowed = Duration.between(first, now).dividedBy(between) + 4;
      assertThat(seen).as("deletions so far").isLessThanOrEqualTo(allowed);
      assertThat(now).as("%d of %d", seen, wanted).isBefore(until);
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
    started.join();
    assertThat(Duration.between(first, Instant.now()))
        .as("not hammered")
        .isGreaterThan(between.multipliedBy(wanted - 1));
    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000);
    assertThat(world.requests("delete")).as("none is asked for twice").isEqualTo(wanted);
  }
}
