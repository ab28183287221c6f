package dev.runnerset.simulator.kube.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validation of custom objects against their schema; messages name the path as the real server's
 * do.
 */
public final class SchemaCheck {
  private static final Pattern DURATION =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?(ns|us|µs|ms|s|m|h))+|0");

  private final List<Cause> causes;

  public SchemaCheck(List<Cause> causes) {
    this.causes = causes;
  }

  public void check(Schema schema, JsonNode node, String path) {
    if (node.isNull() && schema.nullable()) {
      return;
    }
    if (!rightType(schema, node)) {
      String wanted = schema.intOrString() ? "integer or string" : schema.type();
      causes.add(
          Cause.typeInvalid(
              path,
              '"' + typeOf(node) + '"',
              path + " in body must be of type " + wanted + ": \"" + typeOf(node) + '"'));
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
    bounds(schema, "Properties", node.size(), path, node);
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
    long least = schema.bound("minItems", 0);
    if (node.size() < least) {
      causes.add(
          Cause.invalid(path, node, path + " in body should have at least " + least + " items"));
    }
    List<String> keys = Json.texts(schema.source().path("x-kubernetes-list-map-keys"));
    boolean set = "set".equals(schema.source().path("x-kubernetes-list-type").asText());
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < node.size(); i++) {
      JsonNode item = node.get(i);
      String at = path + "[" + i + "]";
      if (schema.items() != null) {
        check(schema.items(), item, at);
      }
      Object identity = set ? item : keys.stream().map(item::path).toList();
      if ((set || !keys.isEmpty()) && !seen.add(identity)) {
        causes.add(new Cause("FieldValueDuplicate", at, "Duplicate value: " + Json.string(item)));
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
    long least = schema.bound("minLength", 0);
    if (length < least) {
      causes.add(
          Cause.invalid(path, node, path + " in body should be at least " + least + " chars long"));
    }
    if (schema.pattern() != null && !schema.pattern().matcher(text).find()) {
      causes.add(
          Cause.invalid(
              path, node, path + " in body should match '" + schema.pattern().pattern() + "'"));
    }
    for (var rule : schema.textRules()) {
      if (!rule.pattern().matcher(text).find()) {
        causes.add(Cause.invalid(path, node, rule.message()));
      }
    }
    if (!rightFormat(schema.format(), text)) {
      causes.add(
          Cause.invalid(
              path,
              node,
              path + " in body must be of type " + schema.format() + ": " + Json.string(node)));
    }
  }

  private void checkNumber(Schema schema, JsonNode node, String path) {
    JsonNode max = schema.source().path("maximum");
    boolean openMax = schema.source().path("exclusiveMaximum").asBoolean();
    if (max.isNumber() && !below(node, max, openMax)) {
      String what = openMax ? "should be less than " : "should be less than or equal to ";
      causes.add(Cause.invalid(path, node, path + " in body " + what + max.asText()));
    }
    JsonNode min = schema.source().path("minimum");
    boolean openMin = schema.source().path("exclusiveMinimum").asBoolean();
    if (min.isNumber() && !below(min, node, openMin)) {
      String what = openMin ? "should be greater than " : "should be greater than or equal to ";
      causes.add(Cause.invalid(path, node, path + " in body " + what + min.asText()));
    }
  }

  private void bounds(Schema schema, String what, int size, String path, JsonNode node) {
    if (size > schema.bound("max" + what, Long.MAX_VALUE)) {
      causes.add(Cause.tooMany(path, size, (int) schema.bound("max" + what, 0)));
    }
    long least = schema.bound("min" + what, 0);
    if (size < least) {
      causes.add(
          Cause.invalid(
              path, node, path + " in body should have at least " + least + " properties"));
    }
  }

  private static boolean below(JsonNode a, JsonNode b, boolean strictly) {
    int order = a.decimalValue().compareTo(b.decimalValue());
    return strictly ? order < 0 : order <= 0;
  }

  private static boolean rightFormat(String format, String text) {
    return switch (format) {
      case "date-time" -> isTime(text);
      case "duration" -> DURATION.matcher(text).matches();
      case "uri" -> text.contains(":");
      default -> true; // an open set: what is not known is not checked, as upstream
    };
  }

  private static boolean isTime(String text) {
    try {
      return OffsetDateTime.parse(text).getYear() >= 0;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean rightType(Schema schema, JsonNode node) {
    if (schema.intOrString()) {
      return node.isIntegralNumber() || node.isTextual();
    }
    return switch (schema.type()) {
      case "object" -> node.isObject();
      case "array" -> node.isArray();
      case "string" -> node.isTextual();
      case "boolean" -> node.isBoolean();
      case "integer" ->
          node.isIntegralNumber()
              || (node.isNumber() && node.decimalValue().stripTrailingZeros().scale() <= 0);
      case "number" -> node.isNumber();
      default -> true; // no type: preserve-unknown-fields
    };
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
