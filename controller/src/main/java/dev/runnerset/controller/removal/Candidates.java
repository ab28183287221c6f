package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.RunnerPhase;
import java.util.Comparator;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The runners of one kind that may be removed now, in the order in which they go (SD3): 1. runners
 * without a failed removal, since two errors make the set wait (docs/adr/0018), 2. retired or on a
 * node that is to be left, which must go anyway, 3. on a node that the cluster autoscaler considers
 * to remove, 4. Pending, 5. not registered, 6. older, which saves a replacement, 7. idle longest;
 * of the ones that are not registered yet the youngest, which is farthest from ready, 8. name, so
 * that equal input gives equal output. Runners of another scale set are left out: they are no
 * surplus, and the service's counts know nothing of them.
 *
 * @param pending those whose container has not started
 * @param running the others
 */
@Pure
public record Candidates(Group pending, Group running) {
  static final Comparator<RunnerView> FIRST_TO_GO =
      Comparator.comparing((RunnerView r) -> r.removal().failed()) // 1.
          .thenComparing(RunnerView::isToGo, Comparator.reverseOrder()) // 2.
          .thenComparing(r -> r.node().candidate(), Comparator.reverseOrder()) // 3.
          .thenComparing(RunnerView::phase) // 4. Pending is declared before Running
          .thenComparing(Candidates::isRegistered) // 5. false sorts before true
          .thenComparing(RunnerView::older, Comparator.reverseOrder()) // 6.
          .thenComparing(Candidates::byAge) // 7.
          .thenComparing(RunnerView::name); // 8.

  private static final Group MAY_GO =
      Group.at((r, now) -> !r.ofAnotherScaleSet() && r.mayGo(now) && !r.isSpared(now))
          .by(FIRST_TO_GO);

  /** All of them. */
  static final Candidates ALL = of(r -> true);

  /** The likeliest to have a job that was not heard of come first: those that are idle longest. */
  static final Group LIKELY_BUSY =
      MAY_GO
          .and(RunnerView::ready)
          .by(
              Comparator.comparing(RunnerView::older, Comparator.reverseOrder())
                  .thenComparing(RunnerView::waitingSince));

  /** The running ones, those that started first before the others. */
  static final Group FIRST_STARTED =
      ALL.running().by(Comparator.comparing(RunnerView::waitingSince));

  static final Candidates RETIRED = of(RunnerView::retired);

  /** They are registered for a scale set that their set no longer has. */
  static final Group OF_FORMER_SCALE_SET =
      Group.at((r, now) -> r.ofAnotherScaleSet() && r.mayGo(now)).by(FIRST_TO_GO);

  /** Those of which that holds, whatever the time is. */
  public static Candidates of(Predicate<RunnerView> kind) {
    return at((runner, now) -> kind.test(runner));
  }

  /** The candidates that match the predicate at the time. */
  public static Candidates at(BiPredicate<RunnerView, Now> kind) {
    var those = MAY_GO.andAt(kind);
    return new Candidates(
        those.and(r -> r.phase() == RunnerPhase.PENDING),
        those.and(r -> r.phase() != RunnerPhase.PENDING));
  }

  private static boolean isRegistered(RunnerView runner) {
    return runner.ready() && runner.registered();
  }

  private static int byAge(RunnerView a, RunnerView b) {
    int order = a.waitingSince().compareTo(b.waitingSince());
    return isRegistered(a) && isRegistered(b) ? order : -order;
  }
}
