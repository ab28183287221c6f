package dev.runnerset.actions.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as the service's other clients do: names in any case, unknown names ignored, absent
 * numbers 0 (protocol 2.3). A parser's exception quotes its input, which may be secret, so no such
 * exception leaves this class. It writes ASCII.
 *
 * <p>Any host may have written what is read (CN6). So depth, tokens and lengths are bounded, lists
 * are read one element after the other, and nothing of a text stays in a table or with a thread.
 */
final class Json {
  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder()
          .maxDocumentLength(Endpoint.LONGEST_LIST)
          .maxStringLength(Endpoint.LONGEST_LIST)
          .maxTokenCount(100_000)
          .maxNestingDepth(100)
          .maxNumberLength(100)
          .maxNameLength(1_000)
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(BOUNDS)
                  .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature())
          .build();

  private Json() {}

  /** Reads the value whose first token is the parser's current one, up to its last token. */
  interface Reading<T extends Object> {
    @Nullable T read(JsonParser parser) throws IOException;
  }

  /** The value, or empty if the text is not JSON of that form, or is {@code null}. */
  static <T extends Object> Optional<T> read(String text, Class<T> type) {
    return stream(text, parser -> value(parser, type));
  }

  /**
   * What is made of the tokens; empty if that is nothing, or the text cannot be read to the end.
   */
  static <T extends Object> Optional<T> stream(String text, Reading<T> reading) {
    try (var parser = MAPPER.createParser(text)) {
      return parser.nextToken() == null
          ? Optional.empty()
          : Optional.ofNullable(reading.read(parser));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The value at which the parser stands as an object of that form; null for {@code null}. */
  static <T extends Object> @Nullable T value(JsonParser parser, Class<T> type) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NULL ? null : MAPPER.readValue(parser, type);
  }

  /**
   * A count with its elements (protocol 3.1), or empty.
   *
   * @param most elements that are read; the others are passed over
   */
  static <T extends Object> Optional<Wire.Page<T>> readPage(
      String text, Wire.PageNames names, Reading<T> element, int most) {
    return stream(
        text,
        parser -> {
          int count = 0;
          @Nullable List<T> values = null;
          if (!parser.isExpectedStartObjectToken()) {
            throw mismatch(parser);
          }
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var name = parser.currentName();
            parser.nextToken();
            if (name.equalsIgnoreCase(names.count())) {
              var read = value(parser, Integer.class);
              count = read == null ? 0 : read;
            } else if (name.equalsIgnoreCase(names.values())) {
              values = elements(parser, element, most);
            } else {
              parser.skipChildren();
            }
          }
          return new Wire.Page<>(count, values);
        });
  }

  private static <T extends Object> @Nullable List<T> elements(
      JsonParser parser, Reading<T> element, int most) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!parser.isExpectedStartArrayToken()) {
      throw mismatch(parser);
    }
    var values = new ArrayList<T>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      var value = values.size() < most ? element.read(parser) : null;
      if (value != null) {
        values.add(value);
      } else {
        parser.skipChildren(); // nothing, at the end of an element
      }
    }
    return values;
  }

  private static IOException mismatch(JsonParser parser) {
    return MismatchedInputException.from(parser, Object.class, "another form is expected");
  }

  /** The number or truth value at which the parser stands. */
  static JsonNode scalar(JsonParser parser) throws IOException {
    return MAPPER.readTree(parser);
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
}
