package dev.runnerset.cli.view;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** A set by its namespace and name. */
public record SetName(String namespace, String name) implements Comparable<SetName> {
  /** The set itself. */
  public static SetName of(HasMetadata set) {
    return new SetName(set.getMetadata().getNamespace(), set.getMetadata().getName());
  }

  /** By namespace, then by name. */
  @Override
  public int compareTo(SetName other) {
    int namespaces = namespace.compareTo(other.namespace);
    return namespaces != 0 ? namespaces : name.compareTo(other.name);
  }

  /** {@code NAMESPACE/NAME}. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
