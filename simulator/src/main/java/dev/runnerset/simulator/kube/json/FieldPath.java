package dev.runnerset.simulator.kube.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSONPath subset of printer columns, scale paths and selectable fields: {@code .a.b}, {@code
 * ['a.b']}, {@code .a\.b}, {@code [0]} and {@code [?(@.type=="Ready")]}.
 */
public final class FieldPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.((?:\\\\.|[^.\\[\\\\])+)|\\['((?:\\\\.|[^'])+)'\\]|\\[(\\d+)\\]"
              + "|\\[\\?\\(@\\.([\\w.]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)\\]");

  private sealed interface Step {
    record Field(String name) implements Step {}

    record Index(int at) implements Step {}

    record Where(String field, String value) implements Step {}
  }

  private final List<Step> steps = new ArrayList<>();

  public FieldPath(String path) {
    Matcher matcher =
        STEP.matcher(path.startsWith(".") || path.startsWith("[") ? path : "." + path);
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        steps.add(new Step.Field(matcher.group(1).replace("\\", "")));
      } else if (matcher.group(2) != null) {
        steps.add(new Step.Field(matcher.group(2).replace("\\", "")));
      } else if (matcher.group(3) != null) {
        steps.add(new Step.Index(Integer.parseInt(matcher.group(3))));
      } else {
        steps.add(new Step.Where(matcher.group(4), matcher.group(5)));
      }
    }
  }

  /** The first node the path leads to; a missing node if there is none. */
  public JsonNode find(JsonNode root) {
    JsonNode node = root;
    for (Step step : steps) {
      node =
          switch (step) {
            case Step.Field(String name) -> node.path(name);
            case Step.Index(int at) -> node.path(at);
            case Step.Where(String field, String value) -> firstWhere(node, field, value);
          };
    }
    return node;
  }

  /** The plain field names, for writing; empty if the path is more than field names. */
  public List<String> fields() {
    List<String> names = new ArrayList<>();
    for (Step step : steps) {
      if (!(step instanceof Step.Field(String name))) {
        return List.of();
      }
      names.add(name);
    }
    return names;
  }

  private static JsonNode firstWhere(JsonNode array, String field, String value) {
    for (JsonNode item : array) {
      if (item.path(field).asText().equals(value)) {
        return item;
      }
    }
    return MissingNode.getInstance();
  }
}
