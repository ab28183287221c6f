package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.crds.Demand;
import dev.runnerset.crds.ProvisionedFor;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many runners are made in one go, and what for: the first for jobs that have none, the others
 * to be kept beside them (RF9). Pure.
 *
 * @param count how many are made
 * @param demanded so many of the first are for demand; may be more than are made
 */
record Provisioning(int count, int demanded) {
  /** Assigned jobs beyond the live runners; unknown demand asks for none. */
  static int demanded(@Nullable Demand demand, int live) {
    return demand == null || demand.assigned() == null ? 0 : Math.max(0, demand.assigned() - live);
  }

  /** What the runners of a batch are for. */
  List<ProvisionedFor> purposes(int done, int size) {
    return IntStream.range(done, done + size)
        .mapToObj(i -> i < demanded ? ProvisionedFor.DEMAND : ProvisionedFor.MIN_RUNNERS)
        .toList();
  }
}
