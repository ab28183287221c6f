package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.status.Cause;
import java.util.ArrayList;
import java.util.List;

/**
 * Kinds that a CustomResourceDefinition describes.
 *
 * @param statusSubresource without it, {@code status} is a field like any other
 */
public record CustomRules(Schema schema, boolean statusSubresource) implements ObjectRules {

  @Override
  public List<String> prune(ObjectNode object) {
    List<String> unknown = new ArrayList<>();
    SchemaFill.prune(schema, object, "", true, unknown);
    return unknown;
  }

  @Override
  public void fillDefaults(ObjectNode object) {
    SchemaFill.fillDefaults(schema, object);
  }

  @Override
  public void resetForCreate(ObjectNode object) {
    if (statusSubresource) {
      object.remove("status");
    }
  }

  @Override
  public List<Cause> validate(ObjectNode object) {
    List<Cause> causes = new ArrayList<>();
    new SchemaCheck(causes).check(schema, object, "");
    return causes;
  }
}
