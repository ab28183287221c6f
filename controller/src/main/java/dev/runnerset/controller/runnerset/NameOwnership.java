package dev.runnerset.controller.runnerset;

import dev.runnerset.crd.AutoScalingRunnerSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Which of several sets of this cluster may have a scale set: the one that has it, else the oldest
 * (design section 6, ScaleSetNameTaken). Pure.
 */
final class NameOwnership {
  private static final Comparator<AutoScalingRunnerSet> FIRST =
      Comparator.comparing((AutoScalingRunnerSet set) -> !isRegistered(set))
          .thenComparing(set -> String.valueOf(set.getMetadata().getCreationTimestamp()))
          .thenComparing(set -> set.getMetadata().getUid());

  private NameOwnership() {}

  /** Why the set may not have its scale set. */
  static Optional<Finding> refusal(AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all) {
    return all.stream()
        .filter(other -> !isSame(other, set) && wantsTheSame(other, set))
        .filter(other -> FIRST.compare(other, set) < 0)
        .min(FIRST)
        .map(owner ->
            new Finding(
                "ScaleSetNameTaken",
                "The AutoScalingRunnerSet "
                    + owner.getMetadata().getNamespace()
                    + "/"
                    + owner.getMetadata().getName()
                    + " has the scale set '"
                    + SpecCheck.scaleSetName(set)
                    + "' of the runner group '"
                    + SpecCheck.runnerGroup(set)
                    + "' already: choose another spec.runnerScaleSetName"));
  }

  private static boolean isSame(AutoScalingRunnerSet a, AutoScalingRunnerSet b) {
    return a.getMetadata().getUid().equals(b.getMetadata().getUid());
  }

  /** The service does not tell upper from lower case in owners and names. */
  private static boolean wantsTheSame(AutoScalingRunnerSet a, AutoScalingRunnerSet b) {
    return url(a).equalsIgnoreCase(url(b))
        && SpecCheck.scaleSetName(a).equalsIgnoreCase(SpecCheck.scaleSetName(b))
        && SpecCheck.runnerGroup(a).equalsIgnoreCase(SpecCheck.runnerGroup(b));
  }

  private static String url(AutoScalingRunnerSet set) {
    return set.getSpec().githubConfigUrl().strip().replaceAll("/+$", "");
  }

  private static boolean isRegistered(AutoScalingRunnerSet set) {
    return set.getStatus() != null && set.getStatus().scaleSetId() != null;
  }
}
