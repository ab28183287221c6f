package dev.runnerset.controller.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a child, by uid: anybody can write a label, and names are reused. The owner is the
 * reference with {@code controller: true}, wherever it stands in the list.
 */
@Pure
public final class Ownership {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Ownership() {}

  /**
   * The reference of a child to the owner that controls it, and with which it is deleted. Only the
   * children of an AutoScalingRunnerSet do not block its foreground deletion.
   */
  public static OwnerReference ownedBy(HasMetadata owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(HasMetadata.getApiVersion(owner.getClass()))
        .withKind(HasMetadata.getKind(owner.getClass()))
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(owner instanceof AutoScalingRunnerSet ? null : true)
        .build();
  }

  /** Whether somebody controls the child. */
  public static boolean isControlled(HasMetadata child) {
    return controller(child).isPresent();
  }

  /** Whether {@code owner} controls the child. */
  public static boolean isControlledBy(HasMetadata child, HasMetadata owner) {
    return controller(child)
        .filter(o -> owner.getMetadata().getUid().equals(o.getUid()))
        .isPresent();
  }

  /**
   * Whether an EphemeralRunnerSet belongs to an AutoScalingRunnerSet: that controls it; or nobody
   * does, and it has the name and the uid of that, as after {@code kubectl delete --cascade=orphan}
   * or an edit by hand.
   */
  public static boolean isOf(EphemeralRunnerSet ers, AutoScalingRunnerSet set) {
    return ers.getMetadata().getName().equals(set.getMetadata().getName())
        && setUid(ers).filter(set.getMetadata().getUid()::equals).isPresent();
  }

  /** Whether nobody controls the runner, and it has the label with the name of that set. */
  private static boolean isOrphan(EphemeralRunner runner, String set) {
    return controller(runner).isEmpty() && set.equals(Meta.labels(runner).get(Labels.SET));
  }

  /**
   * Whether a runner belongs to an EphemeralRunnerSet: this one made it, or an earlier one of the
   * same AutoScalingRunnerSet and name, or one of them did and nobody controls it now. The earlier
   * one is gone, so the runner itself has the uid of the AutoScalingRunnerSet.
   */
  public static boolean isOf(EphemeralRunner runner, EphemeralRunnerSet ers) {
    if (isControlledBy(runner, ers)) {
      return true;
    }
    var name = ers.getMetadata().getName();
    var uid = madeBy(runner);
    return uid != null
        && uid.equals(setUid(ers).orElse(null))
        && (setName(runner).filter(name::equals).isPresent() || isOrphan(runner, name));
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
    return set.getMetadata().getUid().equals(madeBy(runner))
        && (controller(runner).filter(o -> isKind(o, EphemeralRunnerSet.class)).isPresent()
            || isOrphan(runner, set.getMetadata().getName()));
  }

  /**
   * The uid of the AutoScalingRunnerSet that controls it, or, if nobody controls it, that made it;
   * empty if somebody else did.
   */
  public static Optional<String> setUid(EphemeralRunnerSet ers) {
    var controller = controller(ers);
    return controller.isEmpty()
        ? Optional.ofNullable(madeBy(ers))
        : controller.filter(o -> isKind(o, AutoScalingRunnerSet.class)).map(OwnerReference::getUid);
  }

  /**
   * A patch that puts our reference back among those of the object, and the uid of its set; it
   * demands the object as it is. Empty if nothing lacks.
   *
   * @param setUid the uid of its AutoScalingRunnerSet
   */
  public static Optional<ObjectNode> repair(HasMetadata child, HasMetadata owner, String setUid) {
    boolean owned = isControlledBy(child, owner);
    if (owned && setUid.equals(madeBy(child))) {
      return Optional.empty();
    }
    var body = JsonNodeFactory.instance.objectNode();
    var meta =
        body.putObject("metadata").put("resourceVersion", child.getMetadata().getResourceVersion());
    meta.putObject("annotations").put(Labels.SET_UID, setUid);
    if (!owned) {
      var list = meta.putArray("ownerReferences");
      child.getMetadata().getOwnerReferences().stream()
          .filter(o -> !owner.getMetadata().getUid().equals(o.getUid()))
          .forEach(o -> list.add(JSON.<JsonNode>valueToTree(o)));
      list.add(JSON.<JsonNode>valueToTree(ownedBy(owner)));
    }
    return Optional.of(body);
  }

  /** The name of the runner's set, which is that of its EphemeralRunnerSet; empty for none. */
  public static Optional<String> setName(EphemeralRunner runner) {
    return controller(runner)
        .filter(o -> isKind(o, EphemeralRunnerSet.class))
        .map(OwnerReference::getName);
  }

  private static @Nullable String madeBy(HasMetadata child) {
    return Meta.annotations(child).get(Labels.SET_UID);
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
