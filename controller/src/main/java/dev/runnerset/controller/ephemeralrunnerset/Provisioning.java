package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.ProvisionedFor;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many runners are made in one pass, and for what: the first ones for jobs without a runner,
 * the others as warm runners (RF9).
 *
 * @param count how many are made
 * @param demanded how many of the first ones are for demand; may be more than {@code count}
 */
@Pure
record Provisioning(int count, int demanded) {
  /** Assigned jobs beyond the live runners; unknown demand asks for none. */
  static int demanded(@Nullable Demand demand, int live) {
    return demand == null || demand.assigned() == null ? 0 : Math.max(0, demand.assigned() - live);
  }

  /** What each of them is for. */
  List<ProvisionedFor> purposes() {
    return IntStream.range(0, count)
        .mapToObj(i -> i < demanded ? ProvisionedFor.DEMAND : ProvisionedFor.MIN_RUNNERS)
        .toList();
  }
}
