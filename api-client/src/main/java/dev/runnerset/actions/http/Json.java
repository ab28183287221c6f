package dev.runnerset.actions.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Optional;

/**
 * Reads JSON as the service's other clients do: names in any case, unknown names ignored, absent
 * numbers 0 (protocol 2.3). A parser's exception quotes its input, which may be secret, so no such
 * exception leaves this class. It writes ASCII.
 */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private Json() {}

  /** The value, or empty if the text is not JSON of that form, or is {@code null}. */
  static <T extends Object> Optional<T> read(String text, Class<T> type) {
    return read(text, MAPPER.constructType(type));
  }

  /** A count with its elements (protocol 3.1), or empty. */
  static <T extends Object> Optional<Wire.Page<T>> readPage(String text, Class<T> type) {
    return read(text, MAPPER.getTypeFactory().constructParametricType(Wire.Page.class, type));
  }

  /** The tree as an object of that form, or empty. */
  static <T extends Object> Optional<T> convert(JsonNode tree, Class<T> type) {
    return read(tree.toString(), type);
  }

  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a value of our own could not be written");
    }
  }

  private static <T extends Object> Optional<T> read(String text, JavaType type) {
    try {
      T value = MAPPER.readValue(text, type);
      return Optional.ofNullable(value);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
