package dev.runnerset.bench;

import dev.runnerset.demo.world.World;
import dev.runnerset.testcluster.Audit;
import java.time.Duration;
import java.time.Instant;

/** Waits until neither program, nor the bound, writes any more; their leases do not count. */
final class Quiet {
  /** Longer than what the programs wait before they write a status or an event. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(6);

  private static final Duration AT_MOST = Duration.ofSeconds(60);

  private final Audit audit;
  private Instant last = Instant.EPOCH;

  /**
   * Of that control plane.
   *
   * @param audit which nobody else reads
   */
  Quiet(Audit audit) {
    this.audit = audit;
  }

  /** Waits, at most a minute; says so on standard error if they write all the time. */
  void await(World world) {
    world.settle(AT_MOST, () -> isQuiet(world.now()));
    if (!isQuiet(world.now())) {
      System.err.println("the programs still write after " + AT_MOST.toSeconds() + " s");
    }
  }

  private boolean isQuiet(Instant now) {
    audit.forEachNew(entry -> {
      var request = Requests.of(entry);
      if (request.isOurWrite() && !request.isOfALease()) {
        last = entry.completed();
      }
    });
    return !last.plus(LONG_ENOUGH).isAfter(now);
  }
}
