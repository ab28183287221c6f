package dev.runnerset.simulator.kube.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import java.time.Instant;
import java.util.List;

/** Objects as the tables that {@code kubectl get} prints. */
public record Tables(Columns columns, String includeObject, Instant now) {

  public ObjectNode table(List<ObjectNode> objects, String resourceVersion, boolean withColumns) {
    ObjectNode table = Json.object();
    table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
    table.putObject("metadata").put("resourceVersion", resourceVersion);
    ArrayNode definitions = table.putArray("columnDefinitions");
    if (withColumns) {
      columns
          .all()
          .forEach(c ->
              definitions
                  .addObject()
                  .put("name", c.name())
                  .put("type", c.type())
                  .put("format", c.format())
                  .put("description", c.description())
                  .put("priority", c.priority()));
    }
    ArrayNode rows = table.putArray("rows");
    objects.forEach(object -> row(rows.addObject(), object));
    return table;
  }

  private void row(ObjectNode row, ObjectNode object) {
    ArrayNode cells = row.putArray("cells");
    for (Columns.Column column : columns.all()) {
      switch (column.cell().apply(object, now)) {
        case null -> cells.addNull();
        case JsonNode node when node.isValueNode() -> cells.add(node);
        case JsonNode node -> cells.add(Json.string(node));
        case Object other -> cells.add(other.toString());
      }
    }
    switch (includeObject) {
      case "None" -> {}
      case "Object" -> row.set("object", object);
      default -> {
        ObjectNode partial = row.putObject("object");
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
      }
    }
  }
}
