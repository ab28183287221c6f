package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.ResourceName;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** Every kind that is served, built in or defined by a CustomResourceDefinition. Thread-safe. */
public final class Catalog {
  private final Map<String, ResourceType> typeByPath = new ConcurrentSkipListMap<>();

  public Catalog(Collection<ResourceType> builtIns) {
    builtIns.forEach(this::add);
  }

  private void add(ResourceType type) {
    typeByPath.put(path(type.group(), type.version(), type.plural()), type);
  }

  private static String path(String group, String version, String plural) {
    return group + "/" + version + "/" + plural;
  }

  public Optional<ResourceType> find(String group, String version, String plural) {
    return Optional.ofNullable(typeByPath.get(path(group, version, plural)));
  }

  public Optional<ResourceType> ofKind(String apiVersion, String kind) {
    return all().stream()
        .filter(t -> t.kind().equals(kind) && t.apiVersion().equals(apiVersion))
        .findFirst();
  }

  /** By group, version and plural, in that order. */
  public Collection<ResourceType> all() {
    return typeByPath.values();
  }

  /** Serves the versions of a definition, and no longer those it has lost. */
  public void define(JsonNode definition) {
    forget(definition);
    for (JsonNode version : definition.path("spec").path("versions")) {
      if (version.path("served").asBoolean()) {
        add(custom(definition.path("spec"), version));
      }
    }
  }

  public void forget(JsonNode definition) {
    String group = definition.at("/spec/group").asText();
    String plural = definition.at("/spec/names/plural").asText();
    typeByPath.values().removeIf(t -> t.group().equals(group) && t.plural().equals(plural));
  }

  private static ResourceType custom(JsonNode spec, JsonNode version) {
    JsonNode names = spec.path("names");
    Set<String> served = new HashSet<>();
    if (version.at("/subresources").has("status")) {
      served.add("status");
    }
    return new ResourceType(
        new ResourceName(
            spec.path("group").asText(),
            version.path("name").asText(),
            names.path("plural").asText(),
            names.path("kind").asText()),
        new ResourceType.Names(
            names.path("singular").asText(),
            names.path("listKind").asText(),
            List.copyOf(Json.texts(names.path("shortNames"))),
            List.copyOf(Json.texts(names.path("categories")))),
        new ResourceType.Traits(
            spec.path("scope").asText().equals("Namespaced"), Set.copyOf(served), true),
        new CustomRules(
            Schema.parse(version.at("/schema/openAPIV3Schema")), served.contains("status")));
  }
}
