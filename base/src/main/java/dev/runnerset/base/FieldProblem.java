package dev.runnerset.base;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value that a field cannot have.
 *
 * @param path the field, as {@code spec.template.spec.containers[0].command}
 * @param value the value as JSON, cut; of a list, an object, or an environment only what it is
 * @param expected what may stand there, as {@code a list}
 */
public record FieldProblem(String path, String value, String expected) {
  private static final int LONGEST_VALUE = 40;
  private static final int LONGEST_PATH = 200;

  /** What was wrong when Jackson read the document; paths begin there. */
  public static FieldProblem of(JsonProcessingException failure, JsonNode document) {
    var path = new StringBuilder();
    var value = document;
    for (var step : steps(failure)) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
        value = value.path(step.getIndex());
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
        value = value.path(step.getFieldName());
      }
    }
    var at = ShortText.of(path.toString(), LONGEST_PATH);
    return new FieldProblem(at, shown(value, at), expected(failure));
  }

  /** The fields and indexes that lead to the value. */
  public static List<JsonMappingException.Reference> steps(JsonProcessingException failure) {
    return failure instanceof JsonMappingException mapping ? mapping.getPath() : List.of();
  }

  /** Values of environments may be secrets, also where they are written in a wrong way. */
  private static String shown(JsonNode value, String path) {
    return switch (value.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      case MISSING -> "absent";
      case STRING, BINARY, POJO ->
          path.contains("env") || path.contains("annotations")
              ? "a string"
              : ShortText.of(value.toString(), LONGEST_VALUE);
      case BOOLEAN, NULL, NUMBER -> ShortText.of(value.toString(), LONGEST_VALUE);
    };
  }

  private static String expected(JsonProcessingException failure) {
    var type =
        failure instanceof MismatchedInputException mismatched
            ? mismatched.getTargetType()
            : failure.getCause() instanceof InputCoercionException number
                ? number.getTargetType()
                : null;
    return expected(type);
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "a value of another type";
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return "a string";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type == Integer.class || type == int.class) {
      return "a whole number from -2147483648 to 2147483647";
    }
    if (type == Long.class || type == long.class) {
      return "a whole number";
    }
    if (type.getSimpleName().equals("IntOrString")) { // of the Kubernetes library
      return "a whole number or a string";
    }
    if (Temporal.class.isAssignableFrom(type)) {
      return "a time as 2026-01-31T00:00:00Z";
    }
    if (Iterable.class.isAssignableFrom(type)) {
      return "a list";
    }
    return Map.class.isAssignableFrom(type) || !type.isEnum() ? "an object" : "another word";
  }

  /** The problem as a sentence without a full stop. */
  public String sentence() {
    return path + " is " + value + ", but must be " + expected;
  }
}
