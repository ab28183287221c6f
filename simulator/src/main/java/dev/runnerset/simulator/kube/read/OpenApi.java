package dev.runnerset.simulator.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.Catalog;
import dev.runnerset.simulator.kube.kind.CustomRules;
import dev.runnerset.simulator.kube.kind.ResourceType;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * As much OpenAPI v3 as kubectl needs for validation and explain: a schema for each kind (custom
 * kinds with all their fields), and that PATCH knows fieldValidation.
 */
public final class OpenApi {
  private static final String ROOT = "/openapi/v3";

  private final Catalog catalog;

  public OpenApi(Catalog catalog) {
    this.catalog = catalog;
  }

  /** The document of a path below /openapi; empty if there is none. */
  public Optional<ObjectNode> find(String path) {
    return path.equals(ROOT) || path.equals(ROOT + "/")
        ? Optional.of(index())
        : group(path.substring(Math.min(path.length(), ROOT.length() + 1)));
  }

  private ObjectNode index() {
    Set<String> names = new TreeSet<>();
    catalog.all().forEach(type -> names.add(prefix(type).substring(1)));
    ObjectNode root = Json.object();
    ObjectNode paths = root.putObject("paths");
    // no hash in the address: clients must not cache what a new definition changes
    names.forEach(name -> paths.putObject(name).put("serverRelativeURL", ROOT + "/" + name));
    return root;
  }

  private static String prefix(ResourceType type) {
    return type.group().isEmpty() ? "/api/v1" : "/apis/" + type.apiVersion();
  }

  private Optional<ObjectNode> group(String name) {
    ObjectNode document = Json.object().put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", Discovery.VERSION);
    ObjectNode paths = document.putObject("paths");
    ObjectNode schemas = document.putObject("components").putObject("schemas");
    for (ResourceType type : catalog.all()) {
      if (prefix(type).equals("/" + name)) {
        addPath(paths, type);
        addSchema(schemas, type);
      }
    }
    return schemas.isEmpty() ? Optional.empty() : Optional.of(document);
  }

  private static void addPath(ObjectNode paths, ResourceType type) {
    String scope = type.namespaced() ? "/namespaces/{namespace}/" : "/";
    ObjectNode patch =
        paths.putObject(prefix(type) + scope + type.plural() + "/{name}").putObject("patch");
    ObjectNode validation = patch.putArray("parameters").addObject();
    validation.put("name", "fieldValidation").put("in", "query");
    validation.putObject("schema").put("type", "string");
    patch.putObject("responses");
    patch.set("x-kubernetes-group-version-kind", kind(type));
    patch.put("x-kubernetes-action", "patch");
  }

  private static void addSchema(ObjectNode schemas, ResourceType type) {
    JsonNode source =
        type.rules() instanceof CustomRules rules
            ? rules.schema().source()
            : Json.object().put("type", "object").put("description", "a built-in kind");
    ObjectNode schema = source.deepCopy();
    schema.putArray("x-kubernetes-group-version-kind").add(kind(type));
    String group = type.group().isEmpty() ? "core" : type.group();
    schemas.set(group + "." + type.version() + "." + type.kind(), schema);
  }

  private static ObjectNode kind(ResourceType type) {
    return Json.object()
        .put("group", type.group())
        .put("version", type.version())
        .put("kind", type.kind());
  }
}
