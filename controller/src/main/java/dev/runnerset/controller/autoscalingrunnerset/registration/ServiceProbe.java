package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionTimes;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the service accepts the calls of a runner set that is being deleted. While its runners
 * wait, nothing else would report why they are not removed. One call per set and interval.
 * Thread-safe; one thread per set.
 */
public record ServiceProbe(
    ServiceConnections connections, ServiceCalls calls, Clock clock, Memories memories) {
  private static final Slot<Found> LAST = new Slot<>();

  /**
   * What was found.
   *
   * @param problem null if the service accepts the calls
   * @param since when a problem of this kind was found first
   * @param scaleSetGone whether the service answered that the scale set is not there, or that its
   *     id is somebody else's
   */
  public record Found(
      @Nullable AccessProblem problem, Instant since, boolean scaleSetGone, Instant next) {}

  /** What was found last; once a while the service is asked, and the answer wakes the set. */
  public Found check(AutoScalingRunnerSet set) {
    var last = memories.of(set).find(LAST);
    if (last != null && clock.instant().isBefore(last.next())) {
      return last;
    }
    var found = ask(set, last);
    found.ifPresent(now -> memories.of(set).put(LAST, now));
    return found.orElseGet(() -> last == null ? unknown() : last);
  }

  private Found unknown() {
    return new Found(null, clock.instant(), false, clock.instant());
  }

  /** Whether the last check found that the scale set is not at the service any more. */
  public boolean isScaleSetGone(AutoScalingRunnerSet set) {
    var last = memories.of(set).find(LAST);
    return last != null && last.scaleSetGone();
  }

  /** Empty while there is no answer. */
  private Optional<Found> ask(AutoScalingRunnerSet set, @Nullable Found last) {
    AccessProblem problem;
    try {
      var service = connections.toCleanUp(ScaleSetRegistrar.key(set));
      return calls
          .askOnce(set, ServiceProbe.class, () -> isGone(service, set))
          .map(gone ->
              new Found(
                  null, clock.instant(), gone, clock.instant().plus(DeletionTimes.PROBED_EVERY)));
    } catch (InvalidConnectionException e) {
      problem = AccessProblem.of(e);
    } catch (ServiceException e) {
      problem = AccessProblem.of(e, set);
    }
    var now = clock.instant();
    var next = now.plus(DeletionTimes.PROBED_EVERY_WITH_PROBLEM);
    var before = last == null ? null : last.problem();
    if (last == null || before == null || before.lockedOut() != problem.lockedOut()) {
      return Optional.of(new Found(problem, now, false, next));
    }
    // messages differ from answer to answer: the first one is kept while the reason stays
    boolean same = before.finding().reason().equals(problem.finding().reason());
    return Optional.of(new Found(same ? before : problem, last.since(), false, next));
  }

  private boolean isGone(ActionsService service, AutoScalingRunnerSet set) {
    var known = set.statusOrNone().scaleSetId();
    if (known == null) {
      return false;
    }
    var id = new ScaleSetId(known);
    var key = ScaleSetRegistrar.key(set);
    var begun = clock.instant();
    connections.doubted(key, id, begun);
    boolean there =
        service.scaleSet(id).filter(found -> ScaleSetProof.isStillThatOf(set, found)).isPresent();
    if (there) {
      connections.proved(key, id, begun);
    }
    return !there;
  }
}
