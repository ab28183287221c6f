package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/** An answer that is a failure {@code Status}; wording and reasons are the real server's. */
final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String reason;
  private final ObjectNode details;

  private ApiException(int code, String reason, String message, ObjectNode details) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  static ApiException of(int code, String reason, String message) {
    return new ApiException(code, reason, message, Json.object());
  }

  static ApiException badRequest(String message) {
    return of(400, "BadRequest", message);
  }

  static ApiException noSuchPath() {
    return of(404, "NotFound", "the server could not find the requested resource");
  }

  static ApiException methodNotAllowed() {
    return of(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  static ApiException unsupportedMediaType(String accepted) {
    return of(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + accepted);
  }

  static ApiException notFound(ResourceType type, String name) {
    return about(404, "NotFound", type.qualified() + " \"" + name + "\" not found", type, name);
  }

  static ApiException alreadyExists(ResourceType type, String name) {
    return about(
        409, "AlreadyExists", type.qualified() + " \"" + name + "\" already exists", type, name);
  }

  static ApiException conflict(ResourceType type, String name, String why) {
    return about(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + type.qualified() + " \"" + name + "\": " + why,
        type,
        name);
  }

  static ApiException modified(ResourceType type, String name) {
    return conflict(
        type,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  static ApiException terminating(ResourceType type, String name, String namespace) {
    String message =
        type.qualified()
            + " \""
            + name
            + "\" is forbidden: unable to create new content in namespace "
            + namespace
            + " because it is being terminated";
    ApiException e = about(403, "Forbidden", message, type, name);
    ObjectNode cause = e.details.putArray("causes").addObject();
    cause.put("reason", "NamespaceTerminating");
    cause.put("message", "namespace " + namespace + " is being terminated");
    cause.put("field", "metadata.namespace");
    return e;
  }

  static ApiException invalid(ResourceType type, String name, List<Cause> causes) {
    String list = causes.stream().map(Cause::sentence).collect(Collectors.joining(", "));
    String group = type.group().isEmpty() ? "" : "." + type.group();
    String message =
        type.kind()
            + group
            + " \""
            + name
            + "\" is invalid: "
            + (causes.size() == 1 ? list : "[" + list + "]");
    ApiException e = about(422, "Invalid", message, type, name);
    e.details.put("kind", type.kind());
    ArrayNode array = e.details.putArray("causes");
    for (Cause cause : causes) {
      ObjectNode node = array.addObject();
      node.put("reason", cause.reason());
      node.put("message", cause.message());
      node.put("field", cause.field());
    }
    return e;
  }

  static ApiException expired(String message) {
    return of(410, "Expired", message);
  }

  private static ApiException about(
      int code, String reason, String message, ResourceType type, String name) {
    ObjectNode details = Json.object();
    details.put("name", name);
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.plural());
    return new ApiException(code, reason, message, details);
  }

  int code() {
    return code;
  }

  ObjectNode status() {
    ObjectNode status = Json.object();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
    status.set("details", details.deepCopy());
    status.put("code", code);
    return status;
  }
}
