package dev.runnerset.simulator.kube.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;

/** One reason why an object is refused: what a Status carries in {@code details.causes}. */
public record Cause(String reason, String field, String message) {

  public static Cause required(String field, String detail) {
    return new Cause(
        "FieldValueRequired",
        field,
        detail.isEmpty() ? "Required value" : "Required value: " + detail);
  }

  public static Cause invalid(String field, JsonNode value, String detail) {
    return invalid(field, value.toString(), detail);
  }

  public static Cause invalid(String field, String value, String detail) {
    return new Cause("FieldValueInvalid", field, "Invalid value: " + value + ": " + detail);
  }

  public static Cause typeInvalid(String field, String value, String detail) {
    return new Cause("FieldValueTypeInvalid", field, "Invalid value: " + value + ": " + detail);
  }

  public static Cause unsupported(String field, JsonNode value, List<String> supported) {
    String list = supported.stream().map(s -> '"' + s + '"').collect(Collectors.joining(", "));
    return new Cause(
        "FieldValueNotSupported",
        field,
        "Unsupported value: " + value + ": supported values: " + list);
  }

  public static Cause duplicate(String field, String value) {
    return new Cause("FieldValueDuplicate", field, "Duplicate value: \"" + value + '"');
  }

  public static Cause forbidden(String field, String detail) {
    return new Cause("FieldValueForbidden", field, "Forbidden: " + detail);
  }

  public static Cause tooLong(String field, int max) {
    return new Cause(
        "FieldValueTooLong", field, "Too long: may not be more than " + max + " bytes");
  }

  public static Cause tooMany(String field, int count, int max) {
    return new Cause(
        "FieldValueTooMany", field, "Too many: " + count + ": must have at most " + max + " items");
  }

  String sentence() {
    return field + ": " + message;
  }
}
