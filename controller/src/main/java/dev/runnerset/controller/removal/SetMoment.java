package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An EphemeralRunnerSet at one moment: all that the making and the removing of its runners is
 * planned from. Whoever asks for a group here is asked again when time alone changes it.
 *
 * @param runners must not be changed
 * @param counted whether the service's counts are known
 * @param backoff when runners may be made after some failed
 * @param held whether no runner may be made at all, as of a refused version
 * @param surplusSince since when there were too many runners, as the last plan said; null if there
 *     were not
 * @param free how many removals may begin now
 * @param freeAt when more may begin without the end of another one; null if that is not known
 * @param removedSinceObserved running runners that were asked to go after the demand was observed
 * @param delivered the highest resourceVersion that the watch of the runners has brought
 * @param slots what features remember of the set
 * @param now tells when the set must be planned again without an event
 */
@Pure
public record SetMoment(
    EphemeralRunnerSet set,
    RunnersOfSet runners,
    boolean counted,
    CreationBackoff backoff,
    boolean held,
    @Nullable Instant surplusSince,
    int free,
    @Nullable Instant freeAt,
    int removedSinceObserved,
    long delivered,
    Slots slots,
    Now now) {
  /** The runners that count as those that there should be (LV4). */
  private static final Group LIVE = Group.at(RunnerView::isLive);

  /** How many runners there should be. */
  public int replicas() {
    return DesiredRunners.of(set);
  }

  /** The service's counts of jobs; null while they are unknown, which is not zero. */
  public @Nullable Demand demand() {
    return set.knownDemand();
  }

  /** How many runners are live. */
  public int live() {
    return count(LIVE);
  }

  /** How many runners are in the group. */
  public int count(Group group) {
    now.note(runners.changesAt(group));
    return runners.count(group);
  }

  /** Whether any runner is in the group. */
  public boolean hasAny(Group group) {
    return count(group) > 0;
  }

  /** The runners of the group in its order. */
  public Stream<RunnerView> in(Group group) {
    now.note(runners.changesAt(group));
    return runners.in(group);
  }

  /** The runners of the group, the last one first. */
  public Stream<RunnerView> fromLast(Group group) {
    now.note(runners.changesAt(group));
    return runners.fromLast(group);
  }
}
