package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which of several runner sets of this cluster may have a scale set: the set that has it, else the
 * oldest (NM2).
 */
public final class NameOwnership {
  private static final Comparator<AutoScalingRunnerSet> FIRST =
      Comparator.comparing((AutoScalingRunnerSet set) -> !isRegistered(set))
          .thenComparing(set -> String.valueOf(set.getMetadata().getCreationTimestamp()))
          .thenComparing(set -> set.getMetadata().getUid());

  private NameOwnership() {}

  /** Why the set may not have its scale set. */
  public static Optional<Finding> refusal(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all) {
    return all.stream()
        .filter(other -> !isSame(other, set) && wantsTheSame(other, set))
        .filter(other -> FIRST.compare(other, set) < 0)
        .min(FIRST)
        .map(owner -> taken(words(owner), set));
  }

  /** Why the set may not use the scale set of that id: the status of another set names it. */
  public static Optional<Finding> idRefusal(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all) {
    boolean known = id.equals(known(set));
    return others(set, id, all)
        .filter(other -> !known || FIRST.compare(other, set) < 0)
        .min(FIRST)
        .map(owner -> idTaken(words(owner), id));
  }

  /** Another set that uses the scale set of that id too. */
  public static Optional<AutoScalingRunnerSet> sharer(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all) {
    return others(set, id, all).min(FIRST);
  }

  private static Stream<AutoScalingRunnerSet> others(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all) {
    return all.stream()
        .filter(other -> !isSame(other, set) && id.equals(known(other)))
        .filter(other -> SpecCheck.url(other).equals(SpecCheck.url(set)));
  }

  public static Finding taken(String owner, AutoScalingRunnerSet set) {
    return new Finding(
        RunnerSetReason.SCALE_SET_NAME_TAKEN,
        ("The AutoScalingRunnerSet %s has the scale set '%s' of the runner group '%s': choose another"
                + " spec.runnerScaleSetName")
            .formatted(owner, SpecCheck.scaleSetName(set), SpecCheck.runnerGroup(set)));
  }

  public static Finding idTaken(String owner, ScaleSetId id) {
    return new Finding(
        RunnerSetReason.SCALE_SET_SHARED,
        ("The AutoScalingRunnerSet %s has the scale set %s: delete this set, and create it again with"
                + " another spec.runnerScaleSetName")
            .formatted(owner, id));
  }

  public static String words(AutoScalingRunnerSet set) {
    return set.getMetadata().getNamespace() + "/" + set.getMetadata().getName();
  }

  private static boolean isSame(AutoScalingRunnerSet a, AutoScalingRunnerSet b) {
    return a.getMetadata().getUid().equals(b.getMetadata().getUid());
  }

  /** The service ignores the case of names. */
  private static boolean wantsTheSame(AutoScalingRunnerSet a, AutoScalingRunnerSet b) {
    return SpecCheck.scaleSetName(a).equalsIgnoreCase(SpecCheck.scaleSetName(b))
        && SpecCheck.runnerGroup(a).equalsIgnoreCase(SpecCheck.runnerGroup(b))
        && SpecCheck.url(a).equals(SpecCheck.url(b));
  }

  /**
   * Whether the set has the scale set that it asks for. A set that was renamed to the name of
   * another set's scale set still has its own scale set, and no right to that name.
   */
  private static boolean isRegistered(AutoScalingRunnerSet set) {
    return known(set) != null
        && StatusConditions.find(set.statusOrNone().conditions(), ConditionType.REGISTERED)
            .filter(c -> StatusConditions.has(c, RunnerSetReason.SCALE_SET_NAME_TAKEN))
            .isEmpty();
  }

  private static @Nullable ScaleSetId known(AutoScalingRunnerSet set) {
    var id = set.statusOrNone().scaleSetId();
    return id == null ? null : new ScaleSetId(id);
  }
}
