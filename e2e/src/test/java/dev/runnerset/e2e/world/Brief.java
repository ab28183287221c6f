package dev.runnerset.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;

/** A patch in few words, for a trace. */
final class Brief {
  private static final int LONGEST = 130;

  private Brief() {}

  static String of(JsonNode body) {
    var words = new ArrayList<String>();
    add(words, "", body.has("status") ? body.get("status") : body);
    var line = String.join(" ", words);
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }

  private static void add(ArrayList<String> words, String name, JsonNode value) {
    if (name.endsWith("conditions")) {
      for (var condition : value) {
        words.add(
            condition.path("type").asText()
                + "="
                + condition.path("status").asText()
                + "/"
                + condition.path("reason").asText());
      }
    } else if (value.isObject()) {
      value.properties().forEach(field -> add(words, join(name, field.getKey()), field.getValue()));
    } else if (value.isArray()) {
      for (var each : value) {
        if (each.has("op")) {
          add(words, each.get("op").asText() + " " + each.get("path").asText(), each.path("value"));
        }
      }
    } else if (!name.endsWith("observedAt") && !name.endsWith("observedGeneration")) {
      words.add(name + "=" + value.asText());
    }
  }

  private static String join(String name, String field) {
    return name.isEmpty() || name.equals("spec") ? field : name + "." + field;
  }
}
