package dev.runnerset.simulator.kube.read;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.Catalog;
import dev.runnerset.simulator.kube.kind.ResourceType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What there is, for clients that ask before they act. The aggregated form is not offered. */
public final class Discovery {
  /** The version of Kubernetes whose behaviour was the model. */
  static final String VERSION = "v1.36.3";

  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private final Catalog catalog;

  public Discovery(Catalog catalog) {
    this.catalog = catalog;
  }

  public static ObjectNode version() {
    return Json.object()
        .put("major", "1")
        .put("minor", "36")
        .put("gitVersion", VERSION)
        .put("gitCommit", "in-process")
        .put("gitTreeState", "clean")
        .put("buildDate", "2026-01-01T00:00:00Z")
        .put("goVersion", "none")
        .put("compiler", "javac")
        .put("platform", "linux/amd64");
  }

  /** The document of a discovery path; empty if it is none. */
  public Optional<ObjectNode> find(String path) {
    List<String> parts = Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList();
    if (parts.isEmpty() || !Set.of("api", "apis").contains(parts.getFirst())) {
      return Optional.empty();
    }
    boolean core = parts.getFirst().equals("api");
    return switch (parts.size()) {
      case 1 -> Optional.of(core ? coreVersions() : groups());
      case 2 -> core ? resources("", parts.get(1)) : group(parts.get(1));
      case 3 -> core ? Optional.empty() : resources(parts.get(1), parts.get(2));
      default -> Optional.empty();
    };
  }

  private static ObjectNode coreVersions() {
    ObjectNode versions = Json.object().put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    versions.putArray("serverAddressByClientCIDRs");
    return versions;
  }

  private ObjectNode groups() {
    ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    Set<String> names = new TreeSet<>();
    catalog.all().forEach(type -> names.add(type.group()));
    names.remove("");
    names.forEach(name -> group(name).ifPresent(groups::add));
    return list;
  }

  private Optional<ObjectNode> group(String name) {
    Set<String> versions = new TreeSet<>();
    catalog.all().stream()
        .filter(type -> type.group().equals(name))
        .forEach(type -> versions.add(type.version()));
    if (versions.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode group = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
    group.put("name", name);
    ArrayNode array = group.putArray("versions");
    for (String version : versions) {
      array.addObject().put("groupVersion", name + "/" + version).put("version", version);
    }
    group.set("preferredVersion", array.path(array.size() - 1).deepCopy());
    return Optional.of(group);
  }

  private Optional<ObjectNode> resources(String group, String version) {
    List<ResourceType> types =
        catalog.all().stream()
            .filter(t -> t.group().equals(group) && t.version().equals(version))
            .toList();
    if (types.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
    list.put("groupVersion", types.getFirst().apiVersion());
    ArrayNode resources = list.putArray("resources");
    for (ResourceType type : types) {
      describe(resources, type);
    }
    return Optional.of(list);
  }

  private static void describe(ArrayNode resources, ResourceType type) {
    ObjectNode resource = resources.addObject();
    resource.put("name", type.plural()).put("singularName", type.names().singular());
    resource.put("namespaced", type.namespaced()).put("kind", type.kind());
    resource.set("verbs", Json.strings(VERBS));
    if (!type.names().shortNames().isEmpty()) {
      resource.set("shortNames", Json.strings(type.names().shortNames()));
    }
    if (!type.names().categories().isEmpty()) {
      resource.set("categories", Json.strings(type.names().categories()));
    }
    for (String sub : type.traits().subresources()) {
      ObjectNode below = resources.addObject();
      below.put("name", type.plural() + "/" + sub).put("singularName", "");
      below.put("namespaced", type.namespaced());
      boolean binding = sub.equals("binding");
      below.put("kind", binding ? "Binding" : type.kind());
      below.set(
          "verbs", Json.strings(binding ? List.of("create") : List.of("get", "patch", "update")));
    }
  }
}
