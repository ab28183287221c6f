package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which surplus runners go (SD3): 1. those of which no removal failed, since two
 * errors make the set wait (docs/adr/0018), 2. retired or on a cordoned node, which must go anyway,
 * 3. Pending, 4. not registered, 5. older, which saves a replacement, 6. idle longest; of those
 * that are not registered yet the youngest, which is farthest from ready, 7. name, so that equal
 * input gives equal output.
 */
@Pure
final class RemovalOrder {
  private static final Comparator<RunnerView> RANK =
      Comparator.comparing(RunnerView::isToGo, Comparator.reverseOrder()) // 2.
          .thenComparing(RunnerView::phase) // 3. Pending is declared before Running
          .thenComparing(RemovalOrder::isRegistered) // 4. false sorts before true
          .thenComparing(RunnerView::older, Comparator.reverseOrder()) // 5.
          .thenComparing(RemovalOrder::byAge) // 6.
          .thenComparing(RunnerView::name); // 7.
  static final Comparator<RunnerView> FIRST_TO_GO =
      Comparator.comparing(RunnerView::removalFailed).thenComparing(RANK); // 1.

  /** The likeliest to have a job that was not heard of: idle longest. */
  private static final Comparator<RunnerView> LONGEST_IDLE =
      Comparator.comparing(RunnerView::older, Comparator.reverseOrder())
          .thenComparing(RunnerView::waitingSince)
          .thenComparing(RunnerView::name);

  private RemovalOrder() {}

  private static boolean isRegistered(RunnerView runner) {
    return runner.ready() && runner.registered();
  }

  private static int byAge(RunnerView a, RunnerView b) {
    int order = a.waitingSince().compareTo(b.waitingSince());
    return isRegistered(a) && isRegistered(b) ? order : -order;
  }

  /**
   * The candidates in their order; the {@code unmarked} longest idle of the ready ones go last,
   * since the service counts so many more busy runners than are marked, and they are the likeliest.
   */
  static List<RunnerView> of(List<RunnerView> candidates, int unmarked) {
    var suspects =
        candidates.stream()
            .filter(RunnerView::ready)
            .sorted(LONGEST_IDLE)
            .limit(Math.max(0, unmarked))
            .sorted(FIRST_TO_GO)
            .toList();
    var order = new ArrayList<>(candidates.stream().sorted(FIRST_TO_GO).toList());
    order.removeAll(suspects);
    order.addAll(suspects);
    return List.copyOf(order);
  }
}
