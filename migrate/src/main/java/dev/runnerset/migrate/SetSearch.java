package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sets in a document that wraps them: a HelmRelease of Flux, an Application of Argo CD, a
 * config map, values of an umbrella chart. A set is known by its shape, not by the place where it
 * is.
 */
final class SetSearch {
  private static final String CHART = "gha-runner-scale-set";
  private static final Set<String> CHARTS = Set.of(CHART, CHART + "-experimental");

  /** Fields that hold the values of a chart, as an object or as text. */
  private static final Set<String> VALUES =
      Set.of("values", "valuesObject", "valuesInline", "valuesContent");

  /** Fields that name values outside of the document, or that overrule its values. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "valuesFrom", "valueFiles", "valuesFiles", "valuesFile", "parameters", "fileParameters");

  private static final Set<String> RELEASES = Set.of("HelmRelease", "Application", "HelmChart");

  /**
   * A set in a document.
   *
   * @param place its path there
   * @param node values, or an AutoscalingRunnerSet
   * @param release the name of its Helm release; null if the document does not say it
   */
  record Found(String place, ObjectNode node, @Nullable String release) {}

  private final List<Found> found = new ArrayList<>();
  private final List<String> rest = new ArrayList<>();
  private final boolean ofTheChart;

  private SetSearch(ObjectNode document) {
    ofTheChart = namesTheChart(document);
    if (!walk("", "", document, null)) {
      document.fieldNames().forEachRemaining(rest::add);
    }
  }

  static SetSearch in(ObjectNode document) {
    return new SetSearch(document);
  }

  /** The sets, in the order of the document. */
  List<Found> found() {
    return List.copyOf(found);
  }

  /** Whether it is about the chart of ARC's sets, with or without values of it. */
  boolean ofTheChart() {
    return ofTheChart;
  }

  /** Paths of values that the document names and does not have, or that overrule those it has. */
  List<String> elsewhere() {
    return rest.stream().filter(path -> ELSEWHERE.contains(lastOf(path))).toList();
  }

  /** Paths of all else, but for the two fields that say what kind of object it is. */
  List<String> rest() {
    return rest.stream()
        .filter(path -> !ELSEWHERE.contains(lastOf(path)))
        .filter(path -> !Set.of("apiVersion", "kind").contains(path))
        .toList();
  }

  /** Whether an object has the shape of values of a set, wherever it is. */
  static boolean hasShapeOfValues(ObjectNode object) {
    boolean stable =
        isTextOf(object, "githubConfigUrl")
            || isTextOf(object, "runnerScaleSetName")
            || object.has("githubConfigSecret");
    boolean experimental = object.path("auth").isObject() && object.path("auth").has("url");
    return stable || experimental;
  }

  private static boolean isTextOf(ObjectNode object, String field) {
    return object.path(field).isTextual();
  }

  private boolean walk(String path, String key, JsonNode node, @Nullable String release) {
    if (node.isTextual()) {
      var object = parsed(path, key, node.asText());
      return object != null && walkObject(path, key, object, release);
    }
    if (node instanceof ObjectNode object) {
      return walkObject(path, key, object, release);
    }
    var others = new ArrayList<String>();
    boolean any = false;
    int index = 0;
    for (var item : node) {
      var place = path + "[" + index++ + "]";
      if (walk(place, "", item, release)) {
        any = true;
      } else {
        others.add(place);
      }
    }
    return foundBelow(any, others);
  }

  private boolean walkObject(
      String path, String key, ObjectNode object, @Nullable String outerRelease) {
    if (isSet(object) || (!path.isEmpty() && hasShapeOfValues(object))) {
      found.add(new Found(path, object, outerRelease));
      return true;
    }
    var release = release(object, outerRelease);
    var others = new ArrayList<String>();
    boolean any = false;
    for (var field : object.properties()) {
      var place = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      if (!isHelper(object, field.getKey())
          && walk(place, field.getKey(), field.getValue(), release)) {
        any = true;
      } else if (!Fields.isEmpty(field.getValue())) {
        others.add(place);
      }
    }
    boolean byName = CHARTS.contains(key) || (ofTheChart && VALUES.contains(key));
    if (!any && byName && !object.isEmpty()) {
      found.add(new Found(path, object, release));
      return true;
    }
    return foundBelow(any, others);
  }

  /** Without a set below, the whole is named by the caller. */
  private boolean foundBelow(boolean any, List<String> others) {
    if (any) {
      rest.addAll(others);
    }
    return any;
  }

  private static boolean isSet(ObjectNode object) {
    return object.path("kind").asText().equals("AutoscalingRunnerSet")
        && object.path("apiVersion").asText().startsWith(Migration.ARC);
  }

  /** Parts that others are made from by anchors, and text that has no effect beside an object. */
  private static boolean isHelper(ObjectNode object, String key) {
    return key.equals("global")
        || key.matches("x-.*|[._].*")
        || (key.equals("values") && object.path("valuesObject").isObject());
  }

  /** The name of the release, from the object that wraps the values. */
  private static @Nullable String release(ObjectNode object, @Nullable String outer) {
    var given = object.path("releaseName").asText("");
    if (!given.isEmpty()) {
      return given;
    }
    var name = object.path("metadata").path("name").asText("");
    if (RELEASES.contains(object.path("kind").asText()) && !name.isEmpty()) {
      var target = object.path("spec").path("targetNamespace").asText("");
      boolean flux = object.path("kind").asText().equals("HelmRelease");
      return flux && !target.isEmpty() ? target + "-" + name : name;
    }
    boolean entry = object.path("chart").isTextual() && object.path("name").isTextual();
    return entry ? object.path("name").asText() : outer;
  }

  /** The object that a text of several lines holds; null if it holds none. */
  private static @Nullable ObjectNode parsed(String path, String key, String text) {
    if (!text.contains(":") || !text.strip().contains("\n") && !text.startsWith("{")) {
      return null;
    }
    try {
      var documents = Yaml.read(path, text);
      return documents.size() == 1 && documents.getFirst() instanceof ObjectNode object
          ? object
          : null;
    } catch (BadInput e) {
      if (VALUES.contains(key)) {
        throw e;
      }
      return null; // some other text
    }
  }

  private static boolean namesTheChart(JsonNode node) {
    if (node.isTextual()) {
      var text = node.asText();
      return CHARTS.contains(text.substring(text.lastIndexOf('/') + 1));
    }
    for (var child : node) {
      if (namesTheChart(child)) {
        return true;
      }
    }
    return false;
  }

  private static String lastOf(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
