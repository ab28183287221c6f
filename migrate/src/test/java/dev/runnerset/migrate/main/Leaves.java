package dev.runnerset.migrate.main;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

/** The values of an input that a set is made from, without the objects that carry them. */
final class Leaves {
  private static final Set<String> CARRIED =
      Set.of("values", "valuesObject", "valuesInline", "valuesContent");

  /** Names of so many fields that a note with one of them says nothing about a value. */
  private static final Set<String> COMMON =
      Set.of("name", "value", "key", "spec", "metadata", "template", "containers", "env", "labels");

  private final List<Leaf> found = new ArrayList<>();

  private Leaves() {}

  /** A value and where it is. */
  record Leaf(List<String> path, Object value) {
    /** Whether the output has the value, whose lines it may indent. */
    boolean isIn(String output) {
      return String.valueOf(value).lines().map(String::strip).allMatch(output::contains);
    }

    /** Whether a note names the field, or one that it is in, by its path or by a rare name. */
    boolean isNamedIn(String notes) {
      var text = notes.replaceAll("\\[[^\\]]*\\]", "");
      return path.stream().filter(key -> !COMMON.contains(key)).anyMatch(text::contains)
          || IntStream.rangeClosed(2, path.size())
              .mapToObj(length -> String.join(".", path.subList(0, length)))
              .filter(prefix -> !prefix.equals("template.spec"))
              .anyMatch(text::contains);
    }
  }

  /** The values of each document of a text. */
  static List<Leaf> ofValues(String text) {
    var leaves = new Leaves();
    for (var document : new Yaml().loadAll(text)) {
      boolean isObject = document instanceof Map<?, ?> map && map.containsKey("kind");
      boolean isSet =
          document instanceof Map<?, ?> map
              && String.valueOf(map.get("kind")).startsWith("AutoscalingRunnerSet");
      if (isSet) {
        leaves.collect(((Map<?, ?>) document).get("spec"), List.of());
      } else if (isObject) {
        leaves.carried(document);
      } else {
        leaves.collect(document, List.of());
      }
    }
    return leaves.found;
  }

  private void carried(Object node) {
    if (node instanceof List<?> list) {
      list.forEach(this::carried);
    } else if (node instanceof Map<?, ?> map) {
      map.forEach((key, value) -> {
        if (CARRIED.contains(String.valueOf(key))) {
          collect(value instanceof String text ? parsed(text) : value, List.of());
        } else {
          carried(value);
        }
      });
    }
  }

  private static Object parsed(String text) {
    try {
      return new Yaml().load(text);
    } catch (YAMLException e) {
      return text;
    }
  }

  private void collect(Object node, List<String> path) {
    switch (node) {
      case null -> {}
      case Map<?, ?> map ->
          map.forEach((key, value) -> collect(value, and(path, String.valueOf(key))));
      case List<?> list -> list.forEach(item -> collect(item, path));
      default -> found.add(new Leaf(path, node));
    }
  }

  private static List<String> and(List<String> path, String key) {
    var longer = new ArrayList<>(path);
    longer.add(key);
    return longer;
  }
}
