package dev.runnerset.simulator.kube.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;

/** The columns kubectl prints for one kind. */
public record Columns(List<Column> all) {

  /**
   * @param cell the value of a cell, given the object and the time
   */
  public record Column(
      String name,
      String type,
      String format,
      String description,
      int priority,
      BiFunction<ObjectNode, Instant, Object> cell) {

    static Column text(String name, BiFunction<ObjectNode, Instant, Object> cell) {
      return new Column(name, "string", "", "", 0, cell);
    }

    static Column wide(String name, BiFunction<ObjectNode, Instant, Object> cell) {
      return new Column(name, "string", "", "", 1, cell);
    }
  }

  public static final Column NAME =
      new Column("Name", "string", "name", "", 0, (o, now) -> o.at("/metadata/name").asText());
  public static final Column AGE =
      Column.text("Age", (o, now) -> Age.since(o.at("/metadata/creationTimestamp").asText(), now));
}
