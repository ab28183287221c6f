package dev.runnerset.controller.features.references;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.ProvisionedFor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * References to the children of a parent, of any kind (RF1). They hold nothing of a child's status,
 * so its changes cost the parent no write (RF2).
 *
 * @param list oldest first, then by name: equal children give equal lists
 * @param leftOut the number of children beyond {@link #MOST}
 */
@Pure
record ChildReferences(List<ChildReference> list, int leftOut) {
  /** More references are not written: the status would exceed the size that a server takes. */
  static final int MOST = 1000;

  /** The order of children: oldest first, then by name; the kind makes it total. */
  static final Comparator<HasMetadata> OLDEST_FIRST =
      Comparator.comparing(ChildReferences::created)
          .thenComparing(child -> child.getMetadata().getName())
          .thenComparing(child -> HasMetadata.getKind(child.getClass()));

  /** Copies the list. */
  ChildReferences {
    list = List.copyOf(list);
  }

  /** References to the children, including finished and terminating ones. */
  static ChildReferences of(Collection<? extends HasMetadata> children) {
    var list =
        children.stream().sorted(OLDEST_FIRST).limit(MOST).map(ChildReferences::reference).toList();
    return new ChildReferences(list, children.size() - list.size());
  }

  private static String created(HasMetadata child) {
    return Objects.requireNonNullElse(child.getMetadata().getCreationTimestamp(), "");
  }

  // version and kind come from the class, since items of a list have none
  private static ChildReference reference(HasMetadata child) {
    return new ChildReference(
        HasMetadata.getApiVersion(child.getClass()),
        HasMetadata.getKind(child.getClass()),
        child.getMetadata().getName(),
        revision(child),
        provisionedFor(child),
        child instanceof AutoScalingListener ? child.getMetadata().getNamespace() : null);
  }

  private static @Nullable String revision(HasMetadata child) {
    return switch (child) {
      case EphemeralRunner runner -> runner.getSpec().revision();
      case EphemeralRunnerSet set -> set.getSpec().revision();
      default -> null;
    };
  }

  private static @Nullable String provisionedFor(HasMetadata child) {
    return ProvisionedFor.of(Meta.annotations(child).get(Labels.PROVISIONED_FOR))
        .map(ProvisionedFor::word)
        .orElse(null);
  }
}
