package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which surplus runners go (SD3): 1. those of which no removal failed, since two
 * failures end a pass (docs/adr/0018), 2. Pending, 3. unready, 4. older, which saves a replacement,
 * 5. idle longest, 6. name, so that equal input gives equal output.
 */
@Pure
final class RemovalOrder {
  private static final Comparator<RunnerView> RANK =
      Comparator.comparing(RunnerView::phase) // 2. Pending is declared before Running
          .thenComparing(RunnerView::ready) // 3. false sorts before true
          .thenComparing(RunnerView::older, Comparator.reverseOrder()) // 4.
          .thenComparing(RunnerView::waitingSince) // 5. since its creation while it is not ready
          .thenComparing(RunnerView::name); // 6.
  static final Comparator<RunnerView> FIRST_TO_GO =
      Comparator.comparing(RunnerView::removalFailed).thenComparing(RANK); // 1.

  private RemovalOrder() {}

  /**
   * The candidates in their order; the {@code unmarked} longest idle of the ready ones go last,
   * since the service counts so many more busy runners than are marked, and they are the likeliest.
   */
  static List<RunnerView> of(List<RunnerView> candidates, int unmarked) {
    var suspects =
        candidates.stream()
            .filter(RunnerView::ready)
            .sorted(RANK)
            .limit(Math.max(0, unmarked))
            .sorted(FIRST_TO_GO)
            .toList();
    var order = new ArrayList<>(candidates.stream().sorted(FIRST_TO_GO).toList());
    order.removeAll(suspects);
    order.addAll(suspects);
    return List.copyOf(order);
  }
}
