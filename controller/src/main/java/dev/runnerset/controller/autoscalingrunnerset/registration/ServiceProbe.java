package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.ServiceFindings;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the service accepts the calls of a runner set that is being deleted. While its runners
 * wait, nothing else would tell why they are not removed. One call per set and interval.
 * Thread-safe; one thread per set.
 */
public final class ServiceProbe {
  /** How often the service is asked while it accepts the calls. */
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  /** How often the service is asked while it does not. */
  static final Duration INTERVAL_WITH_PROBLEM = Duration.ofSeconds(15);

  /**
   * What was found.
   *
   * @param scaleSetGone whether the service answered that the scale set is not there
   */
  private record Found(@Nullable AccessProblem problem, boolean scaleSetGone) {}

  private record LastResult(Found found, Instant next) {}

  private final ServiceConnections connections;
  private final Clock clock;
  private final Map<String, LastResult> lastByUid;

  public ServiceProbe(ServiceConnections connections, Memories memories, Clock clock) {
    this.lastByUid = memories.byUid();
    this.connections = connections;
    this.clock = clock;
  }

  /**
   * Why the service cannot be asked.
   *
   * @param lockedOut whether only other credentials can help
   * @param since when the problem was seen first
   */
  public record AccessProblem(Finding finding, boolean lockedOut, Instant since) {}

  /** The problem, if there is one; blocks for at most one call of the service. */
  public Optional<AccessProblem> check(AutoScalingRunnerSet set) {
    var uid = set.getMetadata().getUid();
    var now = clock.instant();
    var last = lastByUid.get(uid);
    if (last != null && now.isBefore(last.next())) {
      return Optional.ofNullable(last.found().problem());
    }
    var before = last == null ? null : last.found().problem();
    var found = ask(set, now);
    var seen = found.problem();
    // messages differ from answer to answer: keep the first one while the reason stays
    var problem =
        seen != null && before != null && before.lockedOut() == seen.lockedOut()
            ? new AccessProblem(
                before.finding().reason().equals(seen.finding().reason())
                    ? before.finding()
                    : seen.finding(),
                seen.lockedOut(),
                before.since())
            : seen;
    var interval = problem == null ? INTERVAL : INTERVAL_WITH_PROBLEM;
    lastByUid.put(
        uid, new LastResult(new Found(problem, found.scaleSetGone()), now.plus(interval)));
    return Optional.ofNullable(problem);
  }

  /** Whether the last look found that the scale set is not at the service any more. */
  public boolean isScaleSetGone(AutoScalingRunnerSet set) {
    var last = lastByUid.get(set.getMetadata().getUid());
    return last != null && last.found().scaleSetGone();
  }

  private Found ask(AutoScalingRunnerSet set, Instant now) {
    var id = set.statusOrNone().scaleSetId();
    try {
      var service = connections.toCleanUp(ScaleSetRegistrar.key(set));
      return new Found(null, id != null && service.scaleSet(new ScaleSetId(id)).isEmpty());
    } catch (InvalidConnectionException e) {
      var finding = new Finding(e.reason(), String.valueOf(e.getMessage()));
      return new Found(new AccessProblem(finding, true, now), false);
    } catch (ServiceException e) {
      var finding = ServiceFindings.of(e.error(), set);
      return new Found(
          new AccessProblem(finding, ServiceFindings.isLockedOut(e.error()), now), false);
    }
  }
}
