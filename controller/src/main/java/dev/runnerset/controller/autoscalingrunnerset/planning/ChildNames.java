package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Sha256;
import java.util.Map;

/** What the objects of a set are called, and how they are found again. Pure. */
public final class ChildNames {
  /** A label's value, and a pod's host name, hold no more. */
  static final int MAX_NAME = 63;

  private static final int HASH_DIGITS = 8;

  private ChildNames() {}

  /** The EphemeralRunnerSet bears the set's own name. */
  public static String ephemeralRunnerSet(AutoScalingRunnerSet set) {
    return set.getMetadata().getName();
  }

  /** Unique for namespace and name, since all listener objects stand in one namespace. */
  public static String listener(String namespace, String name) {
    var hash = Sha256.hex(namespace + "/" + name, HASH_DIGITS);
    return cut(name, MAX_NAME - HASH_DIGITS - 1) + "-" + hash;
  }

  /** The role, and the role binding, of the listener in the set's namespace. */
  public static String permissions(String setName) {
    return setName + "-listener";
  }

  public static Map<String, String> labels(AutoScalingRunnerSet set) {
    return Map.of(Labels.PART_OF, Labels.PART_OF_VALUE, Labels.SET, set.getMetadata().getName());
  }

  public static Map<String, String> listenerLabels(AutoScalingRunnerSet set) {
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

  /** The start of a name that still may stand before a dash. */
  static String cut(String name, int length) {
    var start = name.length() <= length ? name : name.substring(0, length);
    return start.replaceAll("[^a-z0-9]+$", "");
  }
}
