package dev.runnerset.simulator.kube.store;

import dev.runnerset.simulator.kube.kind.ResourceType;

/** Where an object is. Two versions of one kind give different refs: use the storage version's. */
public record ObjectRef(ResourceType type, String key) {

  public String namespace() {
    return key.substring(0, key.indexOf('/'));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectRef(var otherType, var otherKey)
        && otherKey.equals(key)
        && otherType.qualified().equals(type.qualified());
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }
}
