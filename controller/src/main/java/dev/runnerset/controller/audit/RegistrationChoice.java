package dev.runnerset.controller.audit;

import dev.runnerset.actions.RunnerList;
import dev.runnerset.base.Pure;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which registrations of the list may be left over from a set (I5): those that bear a name as the
 * set gives them, and that of no runner which is there or was there a short time ago. The oldest
 * come first. Whether they are of the set's scale set, the service tells.
 *
 * @param idle without a job by the list
 * @param busy with a job by the list: they stay
 */
@Pure
record RegistrationChoice(List<RunnerList.Listed> idle, List<RunnerList.Listed> busy) {
  /** A look asks the service about so many at most. */
  static final int MOST = 20;

  RegistrationChoice {
    idle = List.copyOf(idle);
    busy = List.copyOf(busy);
  }

  /**
   * Chooses.
   *
   * @param isName whether a runner of the set would bear such a name
   * @param known the names of runners that are there, or were there a short time ago
   */
  static RegistrationChoice of(RunnerList list, Predicate<String> isName, Set<String> known) {
    var left =
        list.runners().stream()
            .filter(runner -> isName.test(runner.name()) && !known.contains(runner.name()))
            .sorted(Comparator.comparingLong(runner -> runner.id().value()))
            .toList();
    return new RegistrationChoice(
        left.stream().filter(runner -> !runner.busy()).limit(MOST).toList(),
        left.stream().filter(RunnerList.Listed::busy).limit(MOST).toList());
  }
}
