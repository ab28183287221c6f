package dev.runnerset.controller.managerrole;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which role bindings of the controller have its finalizer: those that a set or a listener object
 * needs. Without them the controller could not finish the deletion of a set whose Helm release, or
 * namespace, is deleted: both delete the binding while the set still waits for its runners. Nor
 * could it take its finalizer off the listener objects when their namespace is deleted (WR10).
 */
@Pure
final class ManagerUse {
  private ManagerUse() {}

  /**
   * The finalizers that a binding is to have.
   *
   * @param users all sets and listener objects that the controller watches, those that are being
   *     deleted too
   * @param left sets, there or not, that left something to delete
   * @return empty if it has them
   */
  static Optional<List<String>> change(
      RoleBinding binding, Collection<? extends HasMetadata> users, Collection<SetKey> left) {
    var before =
        Objects.requireNonNullElse(binding.getMetadata().getFinalizers(), List.<String>of());
    boolean held = before.contains(Labels.MANAGER_FINALIZER);
    boolean needed =
        users.stream().anyMatch(user -> isFor(binding, user))
            || left.stream().anyMatch(set -> isFor(binding, set));
    boolean goes = binding.isMarkedForDeletion();
    if (held == needed || (needed && goes)) { // nobody may add one to an object that goes
      return Optional.empty();
    }
    var after = new ArrayList<>(before);
    if (needed) {
      after.add(Labels.MANAGER_FINALIZER);
    } else {
      after.remove(Labels.MANAGER_FINALIZER);
    }
    return Optional.of(after);
  }

  /** A binding with the name of a set is for that set alone; another one for all objects there. */
  static boolean isFor(RoleBinding binding, HasMetadata set) {
    return isFor(binding, SetKey.of(set));
  }

  private static boolean isFor(RoleBinding binding, SetKey set) {
    var only = Meta.labels(binding).get(Labels.SET);
    return Objects.equals(binding.getMetadata().getNamespace(), set.namespace())
        && (only == null || only.equals(set.name()));
  }
}
