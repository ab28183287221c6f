package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.util.Comparator;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Some of the runners of a set, in an order, for those who decide by them: a constant. {@link
 * RunnersOfSet} keeps who is in it.
 */
@Pure
public final class Group {
  private final BiPredicate<RunnerView, Now> holds;
  private final Comparator<RunnerView> order;

  private Group(BiPredicate<RunnerView, Now> holds, Comparator<RunnerView> order) {
    this.holds = holds;
    this.order = order;
  }

  /** The runners that match the predicate; {@code holds} asks nothing but the view and the time. */
  public static Group at(BiPredicate<RunnerView, Now> holds) {
    return new Group(holds, Comparator.comparing(RunnerView::name));
  }

  /** The runners that match the predicate, whatever the time is. */
  public static Group of(Predicate<RunnerView> holds) {
    return at((runner, now) -> holds.test(runner));
  }

  /** Those of them of which that holds, too, in the same order. */
  public Group and(Predicate<RunnerView> also) {
    return andAt((runner, now) -> also.test(runner));
  }

  /** Like {@link #and}, with a predicate that depends on the time. */
  Group andAt(BiPredicate<RunnerView, Now> also) {
    return new Group((runner, now) -> also.test(runner, now) && holds.test(runner, now), order);
  }

  /** The same in that order; those that are equal by it go by name. */
  public Group by(Comparator<RunnerView> first) {
    return new Group(holds, first.thenComparing(RunnerView::name));
  }

  boolean has(RunnerView runner, Now now) {
    return holds.test(runner, now);
  }

  /** In which order they are. */
  public Comparator<RunnerView> order() {
    return order;
  }
}
