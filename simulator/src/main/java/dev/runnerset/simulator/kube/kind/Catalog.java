package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.FieldPath;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.schema.Schema;
import dev.runnerset.simulator.kube.status.ResourceName;
import dev.runnerset.simulator.kube.table.Age;
import dev.runnerset.simulator.kube.table.Columns;
import java.util.ArrayList;
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
    JsonNode subresources = version.path("subresources");
    Set<String> served = new HashSet<>();
    subresources.properties().forEach(e -> served.add(e.getKey()));
    JsonNode scale = subresources.path("scale");
    Set<String> selectable = new HashSet<>();
    for (JsonNode field : version.path("selectableFields")) {
      selectable.add(field.path("jsonPath").asText().substring(1));
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
            spec.path("scope").asText().equals("Namespaced"), Set.copyOf(served), true, true),
        new CustomRules(
            Schema.parse(version.at("/schema/openAPIV3Schema")),
            served.contains("status"),
            scale.isObject()
                ? new CustomRules.Scale(
                    new FieldPath(scale.path("specReplicasPath").asText()),
                    new FieldPath(scale.path("statusReplicasPath").asText()),
                    scale.path("labelSelectorPath").asText(""))
                : null,
            Set.copyOf(selectable)),
        columns(version.path("additionalPrinterColumns")));
  }

  private static Columns columns(JsonNode declared) {
    List<Columns.Column> columns = new ArrayList<>();
    columns.add(Columns.NAME);
    for (JsonNode column : declared) {
      FieldPath path = new FieldPath(column.path("jsonPath").asText());
      String type = column.path("type").asText();
      columns.add(
          new Columns.Column(
              column.path("name").asText(),
              type,
              column.path("format").asText(""),
              column.path("description").asText(""),
              column.path("priority").asInt(0),
              (object, now) -> {
                JsonNode value = path.find(object);
                if (value.isMissingNode() || value.isNull()) {
                  return null;
                }
                return type.equals("date") ? Age.since(value.asText(), now) : value;
              }));
    }
    if (columns.size() == 1) {
      columns.add(Columns.AGE);
    }
    return new Columns(List.copyOf(columns));
  }
}
