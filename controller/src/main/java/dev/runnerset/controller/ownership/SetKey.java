package dev.runnerset.controller.ownership;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** A runner set by its place; its EphemeralRunnerSet bears the same name. */
public record SetKey(String namespace, String name) {
  /** The place of a set or of its EphemeralRunnerSet. */
  public static SetKey of(HasMetadata object) {
    return new SetKey(object.getMetadata().getNamespace(), object.getMetadata().getName());
  }
}
