package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Sha256;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.Set;

/** What the objects of a set are called, and how they are found again. Pure. */
final class SetNames {
  /** A label's value, and a pod's host name, hold no more. */
  static final int MAX_NAME = 63;

  private static final int HASH_DIGITS = 8;

  private SetNames() {}

  /** The EphemeralRunnerSet bears the set's own name. */
  static String runnerSet(AutoScalingRunnerSet set) {
    return set.getMetadata().getName();
  }

  /** Unique for namespace and name, since all listener objects stand in one namespace. */
  static String listener(String namespace, String name) {
    var hash = Sha256.hex(namespace + "/" + name, HASH_DIGITS);
    return cut(name, MAX_NAME - HASH_DIGITS - 1) + "-" + hash;
  }

  /** The role, and the role binding, of the listener in the set's namespace. */
  static String permissions(String setName) {
    return setName + "-listener";
  }

  static Map<String, String> labels(AutoScalingRunnerSet set) {
    return Map.of(Labels.PART_OF, Labels.PART_OF_VALUE, Labels.SET, set.getMetadata().getName());
  }

  static Map<String, String> listenerLabels(AutoScalingRunnerSet set) {
    return Map.of(
        Labels.PART_OF,
        Labels.PART_OF_VALUE,
        Labels.COMPONENT,
        Labels.COMPONENT_LISTENER,
        Labels.SET,
        set.getMetadata().getName(),
        Labels.SET_NAMESPACE,
        set.getMetadata().getNamespace());
  }

  /** The set that an object with {@link #listenerLabels} was made for. */
  static Set<ResourceID> setOf(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    if (labels == null
        || !labels.containsKey(Labels.SET)
        || !labels.containsKey(Labels.SET_NAMESPACE)) {
      return Set.of();
    }
    return Set.of(new ResourceID(labels.get(Labels.SET), labels.get(Labels.SET_NAMESPACE)));
  }

  /** The start of a name that still may stand before a dash. */
  static String cut(String name, int length) {
    var start = name.length() <= length ? name : name.substring(0, length);
    return start.replaceAll("[^a-z0-9]+$", "");
  }
}
