package dev.runnerset.controller.runnerset;

import dev.runnerset.crd.AutoScalingRunnerSet;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Whether a child is this very set's, and not that of an earlier one of its name. Pure. */
final class Owned {
  private Owned() {}

  static boolean by(HasMetadata child, AutoScalingRunnerSet set) {
    return child.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> set.getMetadata().getUid().equals(owner.getUid()));
  }
}
