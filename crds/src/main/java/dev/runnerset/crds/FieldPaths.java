package dev.runnerset.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The fields that the schema of a kind knows below spec and status, as paths: {@code
 * spec.proxy.http.url}. Items of a list have the path of the list. What lies below a field that
 * keeps everything, as the template does, has no path.
 */
public record FieldPaths(NavigableSet<String> paths) {
  /** A kind of which nothing is known. */
  public static final FieldPaths NONE = new FieldPaths(Collections.emptyNavigableSet());

  private static final KubernetesSerialization YAML =
      new KubernetesSerialization(new ObjectMapper(), false); // that loads no class of a kind

  public FieldPaths {
    paths = Collections.unmodifiableNavigableSet(new TreeSet<>(paths));
  }

  /** Those that this version's kinds have, by the name of the kind. */
  public static Map<String, FieldPaths> ofThisVersion() {
    return ThisVersion.BY_KIND;
  }

  /** Read when it is asked for, and once. */
  private static final class ThisVersion {
    static final Map<String, FieldPaths> BY_KIND = Collections.unmodifiableMap(ofOwnKinds());
  }

  private static Map<String, FieldPaths> ofOwnKinds() {
    var byKind = new TreeMap<String, FieldPaths>();
    for (var yaml : Crds.documents()) {
      var crd = YAML.unmarshal(yaml, JsonNode.class);
      byKind.put(
          crd.at("/spec/names/kind").asText(),
          of(crd.at("/spec/versions/0/schema/openAPIV3Schema")));
    }
    return byKind;
  }

  /** Those that an API server serves, by the name of the kind, from its OpenAPI v3 document. */
  public static Map<String, FieldPaths> served(JsonNode openApi) {
    var byKind = new TreeMap<String, FieldPaths>();
    for (var schema : openApi.path("components").path("schemas")) {
      for (var kind : schema.path("x-kubernetes-group-version-kind")) {
        if (kind.path("group").asText().equals(ApiGroup.NAME)) {
          byKind.put(kind.path("kind").asText(), of(schema));
        }
      }
    }
    return byKind;
  }

  private static FieldPaths of(JsonNode schema) {
    var paths = new TreeSet<String>();
    var properties = schema.path("properties");
    collect(properties.path("spec"), "spec", paths);
    collect(properties.path("status"), "status", paths);
    return new FieldPaths(paths);
  }

  private static void collect(JsonNode schema, String path, NavigableSet<String> paths) {
    if (schema.isMissingNode()) {
      return;
    }
    paths.add(path);
    if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      return;
    }
    collect(schema.path("items"), path, paths);
    schema
        .path("properties")
        .properties()
        .forEach(f -> collect(f.getValue(), path + "." + f.getKey(), paths));
  }

  /** The paths that the other one lacks, without those below a path that it lacks. */
  public NavigableSet<String> lackedBy(FieldPaths other) {
    var lacked = new TreeSet<String>();
    for (var path : paths) {
      var parent = parent(path);
      if (!other.paths.contains(path) && (parent.isEmpty() || other.paths.contains(parent))) {
        lacked.add(path);
      }
    }
    return lacked;
  }

  /** The fields of an object's spec that have no path here. */
  public NavigableSet<String> unknownIn(JsonNode object) {
    var unknown = new TreeSet<String>();
    visit(object.path("spec"), "spec", unknown);
    return unknown;
  }

  private void visit(JsonNode value, String path, NavigableSet<String> unknown) {
    if (value.isArray()) {
      value.forEach(item -> visit(item, path, unknown));
    } else if (!paths.contains(path)) {
      unknown.add(path);
    } else if (hasFields(path)) {
      value.properties().forEach(f -> visit(f.getValue(), path + "." + f.getKey(), unknown));
    }
  }

  private boolean hasFields(String path) {
    var next = paths.higher(path + ".");
    return next != null && next.startsWith(path + ".");
  }

  private static String parent(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(0, dot);
  }
}
