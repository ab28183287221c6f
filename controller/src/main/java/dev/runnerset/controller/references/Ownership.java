package dev.runnerset.controller.references;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a child, by uid: anybody can write a label, and names are reused. The owner is the
 * reference with {@code controller: true}, wherever it stands in the list.
 */
@Pure
public final class Ownership {
  private Ownership() {}

  /** Whether {@code owner} controls the child. */
  public static boolean isControlledBy(HasMetadata child, HasMetadata owner) {
    return controller(child)
        .filter(o -> owner.getMetadata().getUid().equals(o.getUid()))
        .isPresent();
  }

  /**
   * Whether a runner belongs to an EphemeralRunnerSet: this one made it, or an earlier one of the
   * same AutoScalingRunnerSet and name. The earlier one is gone, so the runner itself has the uid
   * of the AutoScalingRunnerSet.
   */
  public static boolean isOf(EphemeralRunner runner, EphemeralRunnerSet ers) {
    return isControlledBy(runner, ers) || isOfEarlier(runner, ers);
  }

  /**
   * Whether a runner belongs to an AutoScalingRunnerSet: its EphemeralRunnerSet, or an earlier one,
   * made it.
   *
   * @param ers the present EphemeralRunnerSet; null if it is not known
   */
  public static boolean isOf(
      EphemeralRunner runner, AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    if (ers != null && isControlledBy(runner, ers)) {
      return true;
    }
    return set.getMetadata().getUid().equals(setUid(runner))
        && controller(runner).filter(o -> isKind(o, EphemeralRunnerSet.class)).isPresent();
  }

  private static boolean isOfEarlier(EphemeralRunner runner, EphemeralRunnerSet ers) {
    var setUid = setUid(runner);
    return setUid != null
        && setUid.equals(setUid(ers).orElse(null))
        && controller(runner)
            .filter(o -> isKind(o, EphemeralRunnerSet.class))
            .filter(o -> ers.getMetadata().getName().equals(o.getName()))
            .isPresent();
  }

  /** The uid of the AutoScalingRunnerSet that controls it; empty if somebody else made it. */
  public static Optional<String> setUid(EphemeralRunnerSet ers) {
    return controller(ers)
        .filter(o -> isKind(o, AutoScalingRunnerSet.class))
        .map(OwnerReference::getUid);
  }

  /** The name of the runner's set, which is that of its EphemeralRunnerSet; empty for none. */
  public static Optional<String> setName(EphemeralRunner runner) {
    return controller(runner)
        .filter(o -> isKind(o, EphemeralRunnerSet.class))
        .map(OwnerReference::getName);
  }

  private static @Nullable String setUid(EphemeralRunner runner) {
    var annotations = runner.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(Labels.SET_UID);
  }

  private static boolean isKind(OwnerReference owner, Class<? extends HasMetadata> kind) {
    return HasMetadata.getKind(kind).equals(owner.getKind())
        && HasMetadata.getApiVersion(kind).equals(owner.getApiVersion());
  }

  private static Optional<OwnerReference> controller(HasMetadata child) {
    return child.getMetadata().getOwnerReferences().stream()
        .filter(o -> Boolean.TRUE.equals(o.getController()))
        .findFirst();
  }
}
