package dev.runnerset.controller.gc;

import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.crds.Demand;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The runners of sets, and the one way in which they go, with scale-down's budget. */
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

  /** The picture of a set; empty while its runners are not known. */
  Optional<Snapshot> of(SetKey set);

  /**
   * Removes runners for their age, service first: what a scale-down pass does, in its place, with
   * what it has left of refusals. Blocks until it is done; removes nobody while a pass of the set
   * is under way or its budget is spent.
   *
   * @param allowedNow how many may go by the state of this moment; asked before each round
   * @return how many went
   */
  int collect(SetKey set, RemovalPlan plan, IntSupplier allowedNow);
}
