package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.util.List;
import java.util.Set;

/** What a body must look like, and what in it belongs to the server. */
public final class Incoming {
  private static final Set<String> METADATA =
      Set.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers");

  private static final List<String> SERVERS =
      List.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "generateName");

  private static final List<String> DELETION =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds");

  private Incoming() {}

  /** A copy of the body as an object of that type. */
  public static ObjectNode decode(ResourceType type, JsonNode body) {
    if (!(body instanceof ObjectNode given)) {
      throw ApiException.badRequest("the body of the request is not an object");
    }
    ObjectNode object = given.deepCopy();
    JsonNode metadata = object.path("metadata");
    if (!metadata.isObject() && !metadata.isMissingNode() && !metadata.isNull()) {
      throw ApiException.badRequest("metadata is not an object");
    }
    if (metadata.isNull()) {
      object.remove("metadata");
    }
    requireKind(type, object);
    return object;
  }

  private static void requireKind(ResourceType type, ObjectNode object) {
    String kind = object.path("kind").asText();
    String version = object.path("apiVersion").asText();
    if (type.custom() && kind.isEmpty()) {
      throw ApiException.badRequest("Object 'Kind' is missing in the body of the request");
    }
    if (!kind.isEmpty() && !kind.equals(type.kind())) {
      throw ApiException.badRequest(
          kind + " in version \"" + type.version() + "\" cannot be handled as a " + type.kind());
    }
    if (!version.isEmpty() && !version.equals(type.apiVersion())) {
      throw ApiException.badRequest(
          "the API version in the data ("
              + version
              + ") does not match the expected API version ("
              + type.apiVersion()
              + ")");
    }
    object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
  }

  static void setNamespace(ResourceType type, String namespace, ObjectNode metadata) {
    if (!type.namespaced()) {
      metadata.remove("namespace");
      return;
    }
    String given = metadata.path("namespace").asText();
    if (!given.isEmpty() && !given.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    metadata.put("namespace", namespace);
  }

  /** Drops unknown fields and empty collections, as a typed metadata would. */
  static void tidyMetadata(ObjectNode metadata) {
    metadata.retain(METADATA);
    metadata
        .properties()
        .removeIf(
            e -> e.getValue().isNull() || e.getValue().isContainerNode() && e.getValue().isEmpty());
  }

  /** An update is refused if it was made from another version, or means another object. */
  static void requireSame(ResourceType type, StoredObject old, ObjectNode next) {
    JsonNode metadata = next.path("metadata");
    String name = metadata.path("name").asText(old.name());
    if (!name.equals(old.name())) {
      throw ApiException.badRequest(
          "the name of the object ("
              + name
              + ") does not match the name on the URL ("
              + old.name()
              + ")");
    }
    String revision = metadata.path("resourceVersion").asText();
    if (!revision.isEmpty()
        && !revision.equals(old.json().at("/metadata/resourceVersion").asText())) {
      throw ApiException.modified(type.resource(), old.name());
    }
    String uid = metadata.path("uid").asText();
    if (!uid.isEmpty() && !uid.equals(old.uid())) {
      throw ApiException.conflict(
          type.resource(),
          old.name(),
          "Precondition failed: UID in precondition: "
              + uid
              + ", UID in object meta: "
              + old.uid());
    }
  }

  static void keepServerFields(ObjectNode old, ObjectNode next, boolean internal) {
    ObjectNode metadata = next.withObjectProperty("metadata");
    JsonNode was = old.path("metadata");
    SERVERS.forEach(field -> Writes.setOrRemove(metadata, field, was.path(field)));
    if (!internal) {
      DELETION.forEach(field -> Writes.setOrRemove(metadata, field, was.path(field)));
    }
    next.set("kind", old.path("kind"));
    next.set("apiVersion", old.path("apiVersion"));
  }
}
