package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/**
 * Validation of custom objects against their schema; messages name the path as the real server's
 * do.
 */
public final class SchemaCheck {
  private final List<Cause> causes;

  public SchemaCheck(List<Cause> causes) {
    this.causes = causes;
  }

  public void check(Schema schema, JsonNode node, String path) {
    if (!rightType(schema, node)) {
      causes.add(
          Cause.typeInvalid(
              path,
              '"' + typeOf(node) + '"',
              path + " in body must be of type " + typeOf(schema) + ": \"" + typeOf(node) + '"'));
      return;
    }
    if (!schema.enums().isEmpty() && !schema.enums().contains(node)) {
      causes.add(
          Cause.unsupported(path, node, schema.enums().stream().map(JsonNode::asText).toList()));
    }
    switch (node.getNodeType()) {
      case OBJECT -> checkObject(schema, (ObjectNode) node, path);
      case ARRAY -> checkArray(schema, node, path);
      case STRING -> checkString(schema, node, path);
      case NUMBER -> checkNumber(schema, node, path);
      case BOOLEAN, NULL, BINARY, MISSING, POJO -> {}
    }
  }

  private void checkObject(Schema schema, ObjectNode node, String path) {
    String prefix = path.isEmpty() ? "" : path + ".";
    for (String name : schema.required()) {
      if (!node.has(name)) {
        causes.add(Cause.required(prefix + name, ""));
      }
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      Schema field = schema.field(entry.getKey());
      if (field != null) {
        check(field, entry.getValue(), prefix + entry.getKey());
      }
    }
  }

  private void checkArray(Schema schema, JsonNode node, String path) {
    if (node.size() > schema.bound("maxItems", Long.MAX_VALUE)) {
      causes.add(Cause.tooMany(path, node.size(), (int) schema.bound("maxItems", 0)));
    }
    for (int i = 0; i < node.size(); i++) {
      if (schema.items() != null) {
        check(schema.items(), node.get(i), path + "[" + i + "]");
      }
    }
  }

  private void checkString(Schema schema, JsonNode node, String path) {
    String text = node.textValue();
    int length = text.codePointCount(0, text.length());
    long most = schema.bound("maxLength", Long.MAX_VALUE);
    if (length > most) {
      causes.add(Cause.tooLong(path, (int) most));
    }
    for (var rule : schema.textRules()) {
      if (!rule.pattern().matcher(text).find()) {
        causes.add(Cause.invalid(path, node, rule.message()));
      }
    }
    if (schema.format().equals("date-time") && !isTime(text)) {
      causes.add(
          Cause.invalid(
              path,
              node,
              path + " in body must be of type " + schema.format() + ": " + Json.string(node)));
    }
  }

  private void checkNumber(Schema schema, JsonNode node, String path) {
    JsonNode max = schema.source().path("maximum");
    if (max.isNumber() && node.decimalValue().compareTo(max.decimalValue()) > 0) {
      String what = " in body should be less than or equal to ";
      causes.add(Cause.invalid(path, node, path + what + max.asText()));
    }
    JsonNode min = schema.source().path("minimum");
    if (min.isNumber() && node.decimalValue().compareTo(min.decimalValue()) < 0) {
      String what = " in body should be greater than or equal to ";
      causes.add(Cause.invalid(path, node, path + what + min.asText()));
    }
  }

  private static boolean isTime(String text) {
    try {
      return OffsetDateTime.parse(text).getYear() >= 0;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean rightType(Schema schema, JsonNode node) {
    return switch (schema.type()) {
      case "object" -> node.isObject();
      case "array" -> node.isArray();
      case "string" -> node.isTextual();
      case "boolean" -> node.isBoolean();
      case "integer" ->
          node.isIntegralNumber()
              || (node.isNumber() && node.decimalValue().stripTrailingZeros().scale() <= 0);
      case "number" -> node.isNumber();
      default -> // no type: preserve-unknown-fields, or one of two
          !schema.isIntOrString() || node.isIntegralNumber() || node.isTextual();
    };
  }

  private static String typeOf(Schema schema) {
    return schema.isIntOrString() ? "integer,string" : schema.type();
  }

  private static String typeOf(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING, BINARY, POJO -> "string";
      case NUMBER -> node.isIntegralNumber() ? "integer" : "number";
      case BOOLEAN -> "boolean";
      case NULL, MISSING -> "null";
    };
  }
}
