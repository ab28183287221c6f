package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.base.Backoff;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of the last registration of each runner set, by uid. While it holds, no event causes a
 * call of the service: neither during a backoff nor while the set is registered. After a restart
 * each set costs one call. Thread-safe.
 */
record RegistrationMemory(Memories memories) {
  private static final Slot<Last> LAST = new Slot<>();

  /** What a registration depends on; a change of it is tried at once. */
  record Wanted(
      ConnectionKey connection,
      long version,
      String group,
      String name,
      List<String> labels,
      @Nullable Integer adopted) {
    /**
     * Of the set as it is.
     *
     * @param version of what its connection is made from, as the credentials
     */
    static Wanted of(AutoScalingRunnerSet set, long version) {
      return new Wanted(
          ScaleSetRegistrar.key(set),
          version,
          SpecCheck.runnerGroup(set),
          SpecCheck.scaleSetName(set),
          SpecCheck.labels(set),
          set.getSpec().adoptScaleSetId());
    }
  }

  private record Last(Wanted wanted, Registration result, Instant at, int failures) {}

  /**
   * The last result, if it still holds.
   *
   * @param disconnectedSince since when the listener has no connection; null while it has one
   * @param doubted whether the id of the scale set may be somebody else's
   */
  Optional<Registration> standing(
      String uid,
      Wanted wanted,
      @Nullable Instant disconnectedSince,
      boolean doubted,
      Instant now) {
    var last = memories.of(uid).find(LAST);
    if (last == null || !last.wanted().equals(wanted)) {
      return Optional.empty();
    }
    boolean stands =
        switch (last.result()) {
          case Registration.Registered _ -> !doubted && !isDoubtful(last, disconnectedSince, now);
          case Registration.Failed(_, var retryAt) -> now.isBefore(retryAt);
          case Registration.Asking _ -> false;
        };
    return stands ? Optional.of(last.result()) : Optional.empty();
  }

  private static boolean isDoubtful(Last last, @Nullable Instant disconnectedSince, Instant now) {
    return disconnectedSince != null
        && (!disconnectedSince.isBefore(last.at())
            || !now.isBefore(last.at().plus(RegistrationTimes.DOUBT_EVERY)));
  }

  Registration registered(String uid, Wanted wanted, Registration.Registered result, Instant now) {
    memories.of(uid).put(LAST, new Last(wanted, result, now, 0));
    return result;
  }

  /** Remembers a failure, and when it is tried again: not before the service asks for. */
  Registration.Failed failed(
      String uid, Wanted wanted, AccessProblem problem, Backoff backoff, Instant now) {
    var last = memories.of(uid).find(LAST);
    int failures = last == null || !last.wanted().equals(wanted) ? 1 : last.failures() + 1;
    var wait = backoff.after(failures);
    var atLeast = problem.retryAfter();
    if (atLeast != null && atLeast.compareTo(wait) > 0) {
      wait = atLeast;
    }
    var result = Registration.Failed.triedAgain(problem.finding(), now.plus(wait));
    memories.of(uid).put(LAST, new Last(wanted, result, now, failures));
    return result;
  }

  /** The last result, whether or not it still holds; null if there was none for that. */
  @Nullable Registration last(String uid, Wanted wanted) {
    var last = memories.of(uid).find(LAST);
    return last == null || !last.wanted().equals(wanted) ? null : last.result();
  }

  /** The reason of the last result if it was a failure; else empty. */
  String lastReason(String uid) {
    var last = memories.of(uid).find(LAST);
    return last != null && last.result() instanceof Registration.Failed(var finding, _)
        ? finding.reason().word()
        : "";
  }
}
