package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.RunnerPhase;
import java.util.Comparator;
import java.util.function.Predicate;

/**
 * The runners of one kind that may be removed now, in the order in which they go (SD3): 1. those of
 * which no removal failed, since two errors make the set wait (docs/adr/0018), 2. retired or on a
 * cordoned node, which must go anyway, 3. Pending, 4. not registered, 5. older, which saves a
 * replacement, 6. idle longest; of those that are not registered yet the youngest, which is
 * farthest from ready, 7. name, so that equal input gives equal output. Those of another scale set
 * are left out: they are no surplus, and the service's counts know nothing of them.
 *
 * @param pending those whose container has not started
 * @param running the others
 */
@Pure
public record Candidates(Group pending, Group running) {
  static final Comparator<RunnerView> FIRST_TO_GO =
      Comparator.comparing((RunnerView r) -> r.removal().failed()) // 1.
          .thenComparing(RunnerView::isToGo, Comparator.reverseOrder()) // 2.
          .thenComparing(RunnerView::phase) // 3. Pending is declared before Running
          .thenComparing(Candidates::isRegistered) // 4. false sorts before true
          .thenComparing(RunnerView::older, Comparator.reverseOrder()) // 5.
          .thenComparing(Candidates::byAge) // 6.
          .thenComparing(RunnerView::name); // 7.

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
    return new Candidates(
        MAY_GO.and(kind.and(r -> r.phase() == RunnerPhase.PENDING)),
        MAY_GO.and(kind.and(r -> r.phase() != RunnerPhase.PENDING)));
  }

  private static boolean isRegistered(RunnerView runner) {
    return runner.ready() && runner.registered();
  }

  private static int byAge(RunnerView a, RunnerView b) {
    int order = a.waitingSince().compareTo(b.waitingSince());
    return isRegistered(a) && isRegistered(b) ? order : -order;
  }
}
