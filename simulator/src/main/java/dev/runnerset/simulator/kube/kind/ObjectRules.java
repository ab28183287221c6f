package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.status.Cause;
import java.util.List;
import java.util.Set;

/**
 * What the server does to objects of one kind before it stores them. Pure; changes its argument
 * only.
 */
public interface ObjectRules {

  /** Takes away what the kind does not know; returns the paths of it. */
  List<String> prune(ObjectNode object);

  /** Fills in what was left out. */
  void fillDefaults(ObjectNode object);

  /** Clears what a create may not set. */
  default void resetForCreate(ObjectNode object) {
    object.remove("status");
  }

  List<Cause> validate(ObjectNode object);

  /** What may not change from {@code old} to {@code next}. */
  default List<Cause> validateChange(ObjectNode old, ObjectNode next) {
    return List.of();
  }

  /** Field selector keys beside {@code metadata.name} and {@code metadata.namespace}. */
  default Set<String> selectableFields() {
    return Set.of();
  }
}
