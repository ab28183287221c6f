package dev.runnerset.controller.removal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which surplus runners go (design section 5 step 3): 1. Pending, 2. unready, 3. of
 * another revision, which saves a replacement, 4. idle longest, 5. name, so that equal input gives
 * equal output.
 */
final class RemovalOrder {
  static final Comparator<RunnerView> FIRST_TO_GO =
      Comparator.comparing(RunnerView::phase) // 1. Pending is declared before Running
          .thenComparing(RunnerView::ready) // 2. false sorts before true
          .thenComparing(RunnerView::older, Comparator.reverseOrder()) // 3.
          .thenComparing(RunnerView::idleSince) // 4. the creation time while it is not ready
          .thenComparing(RunnerView::name); // 5.

  private RemovalOrder() {}

  /**
   * The candidates in their order; the {@code unmarked} longest idle of the ready ones go last,
   * since the service counts so many more busy runners than are marked, and they are the likeliest.
   */
  static List<RunnerView> of(List<RunnerView> candidates, int unmarked) {
    var sorted = candidates.stream().sorted(FIRST_TO_GO).toList();
    var suspects = sorted.stream().filter(RunnerView::ready).limit(Math.max(0, unmarked)).toList();
    var order = new ArrayList<RunnerView>(sorted);
    order.removeAll(suspects);
    order.addAll(suspects);
    return List.copyOf(order);
  }
}
