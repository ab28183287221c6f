package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.Labels;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a template says about pods of ARC, or for other programs, and what holds here. */
final class PodNotes {
  /** Labels and annotations of ARC's runner pods, which ours do not have. */
  private static final List<String> FOREIGN =
      List.of("actions.github.com/", "actions-ephemeral-runner");

  /** Labels that ARC's pods get from their set, as its chart writes them. */
  private static final Set<String> OF_THE_CHART =
      Set.of(
          "app.kubernetes.io/name",
          "app.kubernetes.io/instance",
          "app.kubernetes.io/version",
          "app.kubernetes.io/managed-by",
          "helm.sh/chart",
          Labels.PART_OF,
          Labels.COMPONENT);

  /** Annotations that the shield of a pod sets, with its value. */
  private static final SortedMap<String, String> SHIELD =
      new TreeMap<>(
          Map.of(
              "cluster-autoscaler.kubernetes.io/safe-to-evict",
              "false",
              "karpenter.sh/do-not-disrupt",
              "true"));

  private final String set;
  private final JsonNode labels;
  private final TreeMap<String, Set<String>> foreign = new TreeMap<>();

  private PodNotes(String set, JsonNode labels) {
    this.set = set;
    this.labels = labels;
  }

  /**
   * Adds the notes on a converted template.
   *
   * @param set the name of the new set
   */
  static void add(String path, ObjectNode template, String set, List<Note> notes) {
    var metadata = template.path("metadata");
    SHIELD.forEach((key, value) -> {
      var given = metadata.path("annotations").path(key).asText(value);
      if (!given.equals(value)) {
        notes.add(
            new Note(
                path + ".metadata.annotations." + key,
                "is \"%s\" on pods here while a runner has a job or may get one, so that no autoscaler"
                        .formatted(value)
                    + " removes its node; protection: None keeps yours"));
      }
    });
    var search = new PodNotes(set, metadata.path("labels"));
    search.collect(path, template, false);
    search.foreign.forEach((place, keys) -> notes.add(search.note(place, keys)));
  }

  private Note note(String place, Set<String> keys) {
    return new Note(
        place,
        "names "
            + String.join(", ", keys)
            + " of ARC's pods, which ours do not have: write "
            + Labels.SET
            + " with the value "
            + set
            + " instead");
  }

  private void collect(String path, JsonNode node, boolean selector) {
    if (node.isTextual()) {
      if (FOREIGN.stream().anyMatch(node.asText()::contains)) {
        tell(path, node.asText());
      }
    } else if (node.isArray()) {
      int index = 0;
      for (var item : node) {
        var name = item.path("name").asText(Integer.toString(index++));
        collect(path + "[" + name + "]", item, selector);
        if (selector && item.isTextual()) {
          tellIfTheChartWroteIt(path, item.asText(), "");
        }
      }
    } else {
      fields(path, node, selector);
    }
  }

  private void fields(String path, JsonNode node, boolean selector) {
    if (selector) {
      tellIfTheChartWroteIt(path, node.path("key").asText(), firstValue(node));
    }
    for (var field : node.properties()) {
      var key = field.getKey();
      if (FOREIGN.stream().anyMatch(key::startsWith)) {
        tell(path, key);
        continue;
      }
      if (path.endsWith(".matchLabels")) {
        tellIfTheChartWroteIt(path, key, field.getValue().asText());
      }
      boolean inner =
          selector && !key.equals("values") || key.matches("labelSelector|matchLabelKeys");
      collect(path + "." + key, field.getValue(), inner);
    }
  }

  private static String firstValue(JsonNode expression) {
    return expression.path("values").path(0).asText();
  }

  /** Unless the template itself gives the pods that label. */
  private void tellIfTheChartWroteIt(String path, String key, String value) {
    boolean ours = key.equals(Labels.COMPONENT) && value.equals(Labels.COMPONENT_RUNNER);
    if (OF_THE_CHART.contains(key) && !labels.has(key) && !ours) {
      tell(path, key);
    }
  }

  private void tell(String path, String key) {
    foreign.computeIfAbsent(path, _ -> new TreeSet<>()).add(key);
  }
}
