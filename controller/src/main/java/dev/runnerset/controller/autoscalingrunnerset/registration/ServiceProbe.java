package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the service accepts the calls of a runner set that is being deleted. While its runners
 * wait, nothing else would report why they are not removed. One call per set and interval.
 * Thread-safe; one thread per set.
 */
public record ServiceProbe(
    ServiceConnections connections, Clock clock, Map<String, Found> lastByUid) {
  /** How often the service is asked while it accepts the calls. */
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  /** How often the service is asked while it does not. */
  static final Duration INTERVAL_WITH_PROBLEM = Duration.ofSeconds(15);

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

  /** What is found now, or was a while ago; blocks for at most one call of the service. */
  public Found check(AutoScalingRunnerSet set) {
    var last = lastByUid.get(set.getMetadata().getUid());
    if (last != null && clock.instant().isBefore(last.next())) {
      return last;
    }
    var found = ask(set, last);
    lastByUid.put(set.getMetadata().getUid(), found);
    return found;
  }

  /** Whether the last check found that the scale set is not at the service any more. */
  public boolean isScaleSetGone(AutoScalingRunnerSet set) {
    var last = lastByUid.get(set.getMetadata().getUid());
    return last != null && last.scaleSetGone();
  }

  private Found ask(AutoScalingRunnerSet set, @Nullable Found last) {
    var now = clock.instant();
    var id = set.statusOrNone().scaleSetId();
    var key = ScaleSetRegistrar.key(set);
    if (id != null) {
      connections.doubted(key, new ScaleSetId(id), now);
    }
    AccessProblem problem;
    try {
      var service = connections.toCleanUp(key);
      boolean gone =
          id != null
              && service
                  .scaleSet(new ScaleSetId(id))
                  .filter(found -> ScaleSetProof.isStillThatOf(set, found))
                  .isEmpty();
      if (id != null && !gone) {
        connections.proved(key, new ScaleSetId(id), now);
      }
      return new Found(null, now, gone, now.plus(INTERVAL));
    } catch (InvalidConnectionException e) {
      problem = AccessProblem.of(e);
    } catch (ServiceException e) {
      problem = AccessProblem.of(e, set);
    }
    var next = now.plus(INTERVAL_WITH_PROBLEM);
    var before = last == null ? null : last.problem();
    if (last == null || before == null || before.lockedOut() != problem.lockedOut()) {
      return new Found(problem, now, false, next);
    }
    // messages differ from answer to answer: the first one is kept while the reason stays
    boolean same = before.finding().reason().equals(problem.finding().reason());
    return new Found(same ? before : problem, last.since(), false, next);
  }
}
