package dev.runnerset.simulator.kube.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A structural schema, read once. Of CEL rules only {@code self.matches(r'...')} is evaluated;
 * anyOf and its kin are not.
 */
public record Schema(
    String type,
    boolean nullable,
    boolean preserveUnknown,
    boolean intOrString,
    boolean embedded,
    Map<String, Schema> properties,
    @Nullable Schema additional,
    @Nullable Schema items,
    @Nullable JsonNode defaultValue,
    List<String> required,
    List<JsonNode> enums,
    @Nullable Pattern pattern,
    List<TextRule> textRules,
    String format,
    JsonNode source) {

  /** A CEL rule that a text has to match a pattern. */
  record TextRule(Pattern pattern, String message) {
    private static final Pattern FORM = Pattern.compile("self\\.matches\\(r'(.*)'\\)");

    static List<TextRule> in(JsonNode schema) {
      return schema
          .path("x-kubernetes-validations")
          .valueStream()
          .flatMap(rule -> {
            var form = FORM.matcher(rule.path("rule").asText());
            return form.matches()
                ? Stream.of(
                    new TextRule(Pattern.compile(form.group(1)), rule.path("message").asText()))
                : Stream.empty();
          })
          .toList();
    }
  }

  public static Schema parse(JsonNode node) {
    Map<String, Schema> properties = new HashMap<>();
    node.path("properties")
        .properties()
        .forEach(e -> properties.put(e.getKey(), parse(e.getValue())));
    JsonNode more = node.path("additionalProperties");
    JsonNode pattern = node.path("pattern");
    return new Schema(
        node.path("type").asText(""),
        node.path("nullable").asBoolean(),
        node.path("x-kubernetes-preserve-unknown-fields").asBoolean() || more.asBoolean(false),
        node.path("x-kubernetes-int-or-string").asBoolean(),
        node.path("x-kubernetes-embedded-resource").asBoolean(),
        Map.copyOf(properties),
        more.isObject() ? parse(more) : null,
        node.path("items").isObject() ? parse(node.path("items")) : null,
        node.has("default") ? node.path("default") : null,
        List.copyOf(Json.texts(node.path("required"))),
        node.path("enum").valueStream().toList(),
        pattern.isTextual() ? Pattern.compile(pattern.asText()) : null,
        TextRule.in(node),
        node.path("format").asText(""),
        node);
  }

  /** The schema of a field, declared or by additionalProperties; null if the field is unknown. */
  @Nullable Schema field(String name) {
    Schema declared = properties.get(name);
    return declared != null ? declared : additional;
  }

  /** The bound under that keyword; {@code absent} if there is none. */
  long bound(String keyword, long absent) {
    return source.path(keyword).asLong(absent);
  }
}
