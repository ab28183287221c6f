package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** CustomResourceDefinitions: established as soon as they are stored. */
public record DefinitionRules(Clock clock) implements ObjectRules {
  /** Held until the last object of the kind is gone. */
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  @Override
  public List<String> prune(ObjectNode definition) {
    Json.dropNulls(definition.path("metadata"));
    return List.of();
  }

  @Override
  public void fillDefaults(ObjectNode definition) {
    ObjectNode spec = definition.withObjectProperty("spec");
    ObjectNode names = spec.withObjectProperty("names");
    String kind = names.path("kind").asText();
    if (!names.has("singular")) {
      names.put("singular", kind.toLowerCase(Locale.ROOT));
    }
    if (!names.has("listKind")) {
      names.put("listKind", kind + "List");
    }
    if (!spec.has("conversion")) {
      spec.putObject("conversion").put("strategy", "None");
    }
    ArrayNode finalizers =
        definition.withObjectProperty("metadata").withArrayProperty("finalizers");
    boolean deleting = definition.path("metadata").has("deletionTimestamp");
    if (!deleting && !Json.texts(finalizers).contains(CLEANUP)) {
      finalizers.add(CLEANUP);
    }
    fillStatus(definition.withObjectProperty("status"), spec);
  }

  private void fillStatus(ObjectNode status, ObjectNode spec) {
    status.set("acceptedNames", spec.path("names").deepCopy());
    ArrayNode stored = status.withArrayProperty("storedVersions");
    for (JsonNode version : spec.path("versions")) {
      String name = version.path("name").asText();
      if (version.path("storage").asBoolean() && !Json.texts(stored).contains(name)) {
        stored.add(name);
      }
    }
    if (!status.has("conditions")) {
      ArrayNode conditions = status.putArray("conditions");
      condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
      condition(
          conditions,
          "Established",
          "InitialNamesAccepted",
          "the initial names have been accepted");
    }
  }

  private void condition(ArrayNode conditions, String type, String reason, String message) {
    conditions
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** Ours are right: a real server says so in their own test. */
  @Override
  public List<Cause> validate(ObjectNode definition) {
    return List.of();
  }
}
