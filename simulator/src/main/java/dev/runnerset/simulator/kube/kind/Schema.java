package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A structural schema, read once: the keywords that our own definitions use. Of CEL rules only
 * {@code self.matches(r'...')} is evaluated.
 */
public record Schema(
    String type,
    boolean preserveUnknown,
    Map<String, Schema> properties,
    @Nullable Schema additional,
    @Nullable Schema items,
    @Nullable JsonNode defaultValue,
    List<String> required,
    List<JsonNode> enums,
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
    return new Schema(
        node.path("type").asText(""),
        node.path("x-kubernetes-preserve-unknown-fields").asBoolean(),
        Map.copyOf(properties),
        node.path("additionalProperties").isObject()
            ? parse(node.path("additionalProperties"))
            : null,
        node.path("items").isObject() ? parse(node.path("items")) : null,
        node.has("default") ? node.path("default") : null,
        List.copyOf(Json.texts(node.path("required"))),
        node.path("enum").valueStream().toList(),
        TextRule.in(node),
        node.path("format").asText(""),
        node);
  }

  /** The schema of a field; null if the field is unknown. */
  @Nullable Schema field(String name) {
    return properties.getOrDefault(name, additional);
  }

  boolean isIntOrString() {
    return source.path("x-kubernetes-int-or-string").asBoolean();
  }

  /** The bound under that keyword; {@code absent} if there is none. */
  long bound(String keyword, long absent) {
    return source.path(keyword).asLong(absent);
  }
}
