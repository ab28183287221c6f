package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Sha256;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;

/** Names, labels and metadata of the objects of a runner set. */
public final class ChildNames {
  /** The longest value of a label and the longest host name of a pod. */
  static final int MAX_NAME = 63;

  /** 64 bits: with 32, a name that a tenant chooses would meet a given one after minutes. */
  private static final int HASH_DIGITS = 16;

  private ChildNames() {}

  /** The EphemeralRunnerSet has the name of the runner set. */
  public static String ephemeralRunnerSet(AutoScalingRunnerSet set) {
    return set.getMetadata().getName();
  }

  /** One for each namespace and name, since all listener objects are in one namespace. */
  public static String listener(String namespace, String name) {
    var hash = Sha256.hex(namespace + "/" + name, HASH_DIGITS);
    return cut(name, MAX_NAME - HASH_DIGITS - 1) + "-" + hash;
  }

  /**
   * Whether a listener object was made for the set: it has the labels of the set and its uid. A
   * name proves nothing.
   */
  public static boolean isListenerOf(AutoScalingListener listener, AutoScalingRunnerSet set) {
    return Meta.labels(listener).entrySet().containsAll(listenerLabels(set).entrySet())
        && set.getMetadata().getUid().equals(Meta.annotations(listener).get(Labels.SET_UID));
  }

  /** Name of the role and of the role binding of the listener in the set's namespace. */
  public static String permissions(String setName) {
    return setName + "-listener";
  }

  public static Map<String, String> labels(AutoScalingRunnerSet set) {
    return Map.of(Labels.PART_OF, Labels.PART_OF_VALUE, Labels.SET, set.getMetadata().getName());
  }

  public static Map<String, String> listenerLabels(AutoScalingRunnerSet set) {
    return labels(set, Labels.COMPONENT_LISTENER);
  }

  static Map<String, String> budgetLabels(AutoScalingRunnerSet set) {
    return labels(set, Labels.COMPONENT_RUNNER);
  }

  private static Map<String, String> labels(AutoScalingRunnerSet set, String component) {
    return Map.of(
        Labels.PART_OF,
        Labels.PART_OF_VALUE,
        Labels.COMPONENT,
        component,
        Labels.SET,
        set.getMetadata().getName(),
        Labels.SET_NAMESPACE,
        set.getMetadata().getNamespace());
  }

  /**
   * The metadata of a child in the set's namespace, with the uid of the set, and without owner
   * reference.
   */
  public static ObjectMeta metadata(
      AutoScalingRunnerSet set, String name, Map<String, String> labels) {
    return new ObjectMetaBuilder()
        .withNamespace(set.getMetadata().getNamespace())
        .withName(name)
        .withLabels(labels)
        .withAnnotations(Map.of(Labels.SET_UID, set.getMetadata().getUid()))
        .build();
  }

  /** The beginning of a name, cut so that a dash may follow. */
  static String cut(String name, int length) {
    var start = name.length() <= length ? name : name.substring(0, length);
    return start.replaceAll("[^a-z0-9]+$", "");
  }
}
