package dev.runnerset.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;

/**
 * Merge patches of what a writer changes: computed from what is there, and from the same with the
 * writer's own fields as they must be, they name no field of another writer.
 */
public final class MergePatch {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  private MergePatch() {}

  /** The patch that turns one value into the other, null values clear; empty for equal ones. */
  public static <T> Optional<ObjectNode> between(T before, T after) {
    return before.equals(after)
        ? Optional.empty()
        : MergeDiff.between(
            JSON.convertValue(before, ObjectNode.class),
            JSON.convertValue(after, ObjectNode.class));
  }
}
