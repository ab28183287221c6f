package dev.runnerset.controller.gc;

import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.crds.Demand;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the runners of sets, and removes runners for their age. */
public interface SetRunners {
  /**
   * What the caches have of a set's runners.
   *
   * @param demand as the service says; null while it is unknown
   */
  record Snapshot(List<AgedRunner> runners, @Nullable Demand demand) {
    /** Copies the runners. */
    public Snapshot {
      runners = List.copyOf(runners);
    }
  }

  /** The runners of a set; empty while the set is not in the cache. */
  Optional<Snapshot> of(SetKey set);

  /**
   * Removes runners for their age as a scale-down pass does, with the refusals that are left of its
   * budget. Blocks until it is done; removes no runner while a pass of the set is under way or the
   * budget is spent.
   *
   * @param allowedNow how many may be removed by the state of the moment; asked before each round
   * @return how many were removed
   */
  int collect(SetKey set, RemovalPlan plan, IntSupplier allowedNow);
}
