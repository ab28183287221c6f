package dev.runnerset.controller.features.references;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.timing.Unwritten;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.RolloutCounts;
import dev.runnerset.crds.condition.ConditionType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The references of a runner set to its children, and of an EphemeralRunnerSet to its runners (RF1,
 * RF5). A list of runners is sent and stored whole, so it is written when it is stable
 * (docs/adr/0093).
 *
 * @param patchesTake how long a patch takes at present
 */
public record ReferenceLists(EmbeddedStatus embedded, Supplier<Duration> patchesTake)
    implements SetFeature {
  /** A list that does not stand still is written after this time. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private static final Slot<Written> WRITTEN =
      new Slot<>(new Written(Unwritten.NONE, Optional.empty()));

  /** Tells how many runners the lists leave out that stand in the status. */
  private static final ConditionRule<SetMoment> TRUNCATED =
      new ConditionRule<>(
          ConditionType.CHILD_REFERENCES_TRUNCATED,
          moment -> moment.slots().get(WRITTEN).truncated());

  /** The lists that wait, and what those that stand leave out. */
  private record Written(Unwritten lists, Optional<Verdict> truncated) {}

  @Override
  public void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    var children =
        Stream.of(facts.ephemeralRunnerSet(), facts.listener())
            .flatMap(Stream::ofNullable)
            .toList();
    status.childReferences(
        embedded.hasReferences() ? ChildReferences.of(children).list() : List.of());
  }

  @Override
  public List<ConditionRule<SetMoment>> runnerConditions() {
    return List.of(TRUNCATED);
  }

  @Override
  public void fill(SetMoment moment, EphemeralRunnerSetStatusBuilder status) {
    var runners = moment.runners().all().map(RunnerView::resource).toList();
    var lists = ChildLists.of(runners, embedded);
    var before = moment.set().statusOrNone();
    var now = moment.now().instant();
    if (!lists.standIn(before) && !endsRollout(before.rollout(), status.build().rollout())) {
      var still = Unwritten.still(patchesTake.get());
      var next = moment.slots().get(WRITTEN).lists().differs(lists, now);
      if (next.holds(still, LONGEST, now)) {
        moment.now().note(RequeueTime.at(next.dueAt(still, LONGEST)));
        var _ = moment.slots().change(WRITTEN, was -> new Written(next, was.truncated()));
        return;
      }
    }
    lists.fill(status);
    moment.slots().put(WRITTEN, new Written(Unwritten.NONE, lists.truncated()));
  }

  /**
   * Whether this patch is the first to say that no older runner is left: then the list that shows
   * it must go with it (RF11).
   */
  private static boolean endsRollout(@Nullable RolloutCounts before, @Nullable RolloutCounts now) {
    return now != null
        && now.older() == 0
        && (before == null || before.older() > 0 || !before.revision().equals(now.revision()));
  }
}
