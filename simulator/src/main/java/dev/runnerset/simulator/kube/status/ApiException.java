package dev.runnerset.simulator.kube.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/** An answer that is a failure {@code Status}; wording and reasons are the real server's. */
public final class ApiException extends RuntimeException {
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

  public static ApiException of(int code, String reason, String message) {
    return new ApiException(code, reason, message, JsonNodeFactory.instance.objectNode());
  }

  public static ApiException badRequest(String message) {
    return of(400, "BadRequest", message);
  }

  public static ApiException noSuchPath() {
    return of(404, "NotFound", "the server could not find the requested resource");
  }

  public static ApiException methodNotAllowed() {
    return of(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  public static ApiException unsupportedMediaType(String accepted) {
    return of(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + accepted);
  }

  public static ApiException notFound(ResourceName resource, String name) {
    return about(
        404, "NotFound", resource.qualified() + " \"" + name + "\" not found", resource, name);
  }

  public static ApiException alreadyExists(ResourceName resource, String name) {
    return about(
        409,
        "AlreadyExists",
        resource.qualified() + " \"" + name + "\" already exists",
        resource,
        name);
  }

  public static ApiException conflict(ResourceName resource, String name, String why) {
    return about(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + resource.qualified() + " \"" + name + "\": " + why,
        resource,
        name);
  }

  public static ApiException modified(ResourceName resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /** Refused by admission. */
  public static ApiException forbidden(ResourceName resource, String name, String why) {
    return about(
        403,
        "Forbidden",
        resource.qualified() + " \"" + name + "\" is forbidden: " + why,
        resource,
        name);
  }

  public static ApiException terminating(ResourceName resource, String name, String namespace) {
    String message =
        resource.qualified()
            + " \""
            + name
            + "\" is forbidden: unable to create new content in namespace "
            + namespace
            + " because it is being terminated";
    ApiException e = about(403, "Forbidden", message, resource, name);
    ObjectNode cause = e.details.putArray("causes").addObject();
    cause.put("reason", "NamespaceTerminating");
    cause.put("message", "namespace " + namespace + " is being terminated");
    cause.put("field", "metadata.namespace");
    return e;
  }

  public static ApiException invalid(ResourceName resource, String name, List<Cause> causes) {
    String list = causes.stream().map(Cause::sentence).collect(Collectors.joining(", "));
    String group = resource.group().isEmpty() ? "" : "." + resource.group();
    String message =
        resource.kind()
            + group
            + " \""
            + name
            + "\" is invalid: "
            + (causes.size() == 1 ? list : "[" + list + "]");
    ApiException e = about(422, "Invalid", message, resource, name);
    e.details.put("kind", resource.kind());
    ArrayNode array = e.details.putArray("causes");
    for (Cause cause : causes) {
      ObjectNode node = array.addObject();
      node.put("reason", cause.reason());
      node.put("message", cause.message());
      node.put("field", cause.field());
    }
    return e;
  }

  public static ApiException expired(String message) {
    return of(410, "Expired", message);
  }

  private static ApiException about(
      int code, String reason, String message, ResourceName resource, String name) {
    ObjectNode details = JsonNodeFactory.instance.objectNode();
    details.put("name", name);
    if (!resource.group().isEmpty()) {
      details.put("group", resource.group());
    }
    details.put("kind", resource.plural());
    return new ApiException(code, reason, message, details);
  }

  public int code() {
    return code;
  }

  public ObjectNode status() {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
    status.set("details", details.deepCopy());
    status.put("code", code);
    return status;
  }
}
