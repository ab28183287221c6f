package dev.runnerset.simulator.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Label and field selectors, and the namespace of the request, as one test of an object. */
public final class Selector {
  private static final Pattern SET =
      Pattern.compile("\\s*([^\\s!=(),]+)\\s+(in|notin)\\s*\\(([^)]*)\\)\\s*");
  private static final Pattern EQUALITY =
      Pattern.compile("\\s*([^\\s!=(),]+)\\s*(==|=|!=)\\s*([^\\s!=(),]*)\\s*");
  private static final Pattern EXISTENCE = Pattern.compile("\\s*(!?)\\s*([^\\s!=(),]+)\\s*");

  private static final int LONGEST_VALUE = 63;

  private Selector() {}

  static Predicate<StoredObject> of(
      ResourceType type, String namespace, String labelSelector, String fieldSelector) {
    List<Predicate<StoredObject>> all = new ArrayList<>();
    if (!namespace.isEmpty()) {
      all.add(object -> object.namespace().equals(namespace));
    }
    for (String part : parts(labelSelector)) {
      Predicate<JsonNode> labels = label(part);
      all.add(object -> labels.test(object.json().path("metadata").path("labels")));
    }
    for (String part : parts(fieldSelector)) {
      all.add(field(type, part));
    }
    return object -> all.stream().allMatch(one -> one.test(object));
  }

  /** Splits at commas outside parentheses. */
  private static List<String> parts(String selector) {
    return selector.isBlank() ? List.of() : Arrays.asList(selector.split(",(?![^(]*\\))"));
  }

  private static Predicate<JsonNode> label(String part) {
    Matcher set = SET.matcher(part);
    if (set.matches()) {
      String key = set.group(1);
      Set<String> values =
          Arrays.stream(set.group(3).split(",")).map(String::trim).collect(Collectors.toSet());
      return set.group(2).equals("in")
          ? labels -> labels.has(key) && values.contains(labels.path(key).asText())
          : labels -> !labels.has(key) || !values.contains(labels.path(key).asText());
    }
    Matcher equality = EQUALITY.matcher(part);
    if (equality.matches()) {
      String key = equality.group(1);
      String value = equality.group(3);
      if (value.length() > LONGEST_VALUE) {
        throw ApiException.badRequest(
            "unable to parse requirement: values[0][%s]: Invalid value: \"%s\": must be no more than %d bytes"
                .formatted(key, value, LONGEST_VALUE));
      }
      return equality.group(2).equals("!=")
          ? labels -> !labels.has(key) || !labels.path(key).asText().equals(value)
          : labels -> labels.has(key) && labels.path(key).asText().equals(value);
    }
    Matcher existence = EXISTENCE.matcher(part);
    if (existence.matches()) {
      boolean wanted = existence.group(1).isEmpty();
      return labels -> labels.has(existence.group(2)) == wanted;
    }
    throw ApiException.badRequest("unable to parse requirement: " + part);
  }

  private static Predicate<StoredObject> field(ResourceType type, String part) {
    Matcher matcher = EQUALITY.matcher(part);
    if (!matcher.matches()) {
      throw ApiException.badRequest(
          "invalid selector: '" + part + "'; can't understand '" + part + "'");
    }
    String path = matcher.group(1);
    boolean common = path.equals("metadata.name") || path.equals("metadata.namespace");
    if (!common && !type.rules().selectableFields().contains(path)) {
      throw ApiException.badRequest("field label not supported: " + path);
    }
    String pointer = "/" + path.replace('.', '/');
    String value = matcher.group(3);
    boolean wanted = !matcher.group(2).equals("!=");
    return object -> object.json().at(pointer).asText().equals(value) == wanted;
  }
}
