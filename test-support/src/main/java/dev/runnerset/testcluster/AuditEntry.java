package dev.runnerset.testcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * One answered request, as the API server saw it. Texts that do not apply are empty: the namespace
 * of a cluster-wide request, the name in a list or a create with {@code generateName}.
 *
 * @param received when the request came in
 * @param completed when its answer was complete; for a watch, when it ended
 * @param user the authenticated user, {@code system:serviceaccount:<namespace>:<name>} for tokens
 * @param verb in lower case: get, list, watch, create, update, patch, delete, deletecollection
 * @param apiGroup empty for the core group
 * @param resource plural, empty for a request that is about no resource
 * @param code the HTTP status
 */
public record AuditEntry(
    Instant received,
    Instant completed,
    String userAgent,
    String user,
    String verb,
    String apiGroup,
    String resource,
    String subresource,
    String namespace,
    String name,
    String uri,
    int code) {
  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");

  static AuditEntry of(JsonNode event) {
    JsonNode object = event.path("objectRef");
    return new AuditEntry(
        Instant.parse(event.path("requestReceivedTimestamp").asText()),
        Instant.parse(event.path("stageTimestamp").asText()),
        event.path("userAgent").asText(""),
        event.path("user").path("username").asText(""),
        event.path("verb").asText(""),
        object.path("apiGroup").asText(""),
        object.path("resource").asText(""),
        object.path("subresource").asText(""),
        object.path("namespace").asText(""),
        object.path("name").asText(""),
        event.path("requestURI").asText(""),
        event.path("responseStatus").path("code").asInt());
  }

  /** A request that would change something, whether it was accepted or not. */
  public boolean isWrite() {
    return WRITES.contains(verb);
  }

  /** Answered with 2xx. */
  public boolean isAccepted() {
    return code / 100 == 2;
  }

  /** From its arrival to the end of its answer. */
  public Duration took() {
    return Duration.between(received, completed);
  }
}
