package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An EphemeralRunnerSet at one moment: all that the making and the removing of its runners is
 * planned from.
 *
 * @param resourceByUid the runners as the cache has them, which must not be changed
 * @param runners one view for each of them, in no particular order
 * @param counted whether the service's counts are known
 * @param backoff when runners may be made after some failed
 * @param held whether no runner may be made at all, as of a refused version
 * @param surplusSince since when there were too many runners, as the last plan said; null if there
 *     were not
 * @param free how many removals may begin now
 * @param freeAt when more may begin without the end of another one; null if that is not known
 * @param removedSinceObserved running runners that were asked to go after the demand was observed
 * @param protectionWindow how long a runner that just became idle is spared (SD2)
 * @param delivered the highest resourceVersion that the watch of the runners has brought
 * @param slots what features remember of the set
 */
@Pure
public record SetMoment(
    EphemeralRunnerSet set,
    Map<String, EphemeralRunner> resourceByUid,
    List<RunnerView> runners,
    boolean counted,
    CreationBackoff backoff,
    boolean held,
    @Nullable Instant surplusSince,
    int free,
    @Nullable Instant freeAt,
    int removedSinceObserved,
    Duration protectionWindow,
    long delivered,
    Slots slots,
    Instant now) {
  /** Copies the runners. */
  public SetMoment {
    resourceByUid = Map.copyOf(resourceByUid);
    runners = List.copyOf(runners);
  }

  /** How many runners there should be. */
  public int replicas() {
    return Objects.requireNonNullElse(set.getSpec().replicas(), 0);
  }

  /** The message that {@link #replicas} reckons with; ends of jobs up to it are settled. */
  public long demandMessageId() {
    return Objects.requireNonNullElse(set.getSpec().demandMessageId(), 0L);
  }

  /** The service's counts of jobs; null while they are unknown, which is not zero. */
  public @Nullable Demand demand() {
    var demand = set.statusOrNone().demand();
    return demand == null || demand.assigned() == null ? null : demand;
  }

  /** The resource of one of {@link #runners}. */
  public EphemeralRunner resource(RunnerView runner) {
    return Objects.requireNonNull(resourceByUid.get(runner.uid()));
  }

  /** Whether a runner counts as one of those that there should be (LV4). */
  public boolean isLive(RunnerView runner) {
    return runner.isLive(demandMessageId(), now);
  }

  /** How many runners are live. */
  public int live() {
    return (int) runners.stream().filter(this::isLive).count();
  }
}
