package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;

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

  @Override
  public List<Cause> validate(ObjectNode definition) {
    List<Cause> causes = new ArrayList<>();
    JsonNode spec = definition.path("spec");
    String name = spec.at("/names/plural").asText() + "." + spec.path("group").asText();
    if (!definition.at("/metadata/name").asText().equals(name)) {
      causes.add(
          Cause.invalid(
              "metadata.name",
              definition.at("/metadata/name"),
              "must be spec.names.plural+\".\"+spec.group"));
    }
    for (String field : List.of("group", "scope", "versions")) {
      if (!spec.has(field)) {
        causes.add(Cause.required("spec." + field, ""));
      }
    }
    if (spec.at("/names/kind").asText().isEmpty()) {
      causes.add(Cause.required("spec.names.kind", ""));
    }
    long storage =
        spec.path("versions").valueStream().filter(v -> v.path("storage").asBoolean()).count();
    if (storage != 1) {
      causes.add(
          Cause.invalid(
              "spec.versions", "[]", "must have exactly one version marked as storage version"));
    }
    for (int i = 0; i < spec.path("versions").size(); i++) {
      checkVersion(spec.path("versions").path(i), "spec.versions[" + i + "]", causes);
    }
    return causes;
  }

  private static void checkVersion(JsonNode version, String at, List<Cause> causes) {
    if (!version.at("/schema/openAPIV3Schema").isObject()) {
      causes.add(Cause.required(at + ".schema.openAPIV3Schema", "schemas are required"));
      return;
    }
    try {
      var _ = Schema.parse(version.at("/schema/openAPIV3Schema"));
    } catch (PatternSyntaxException e) {
      causes.add(
          Cause.invalid(
              at + ".schema.openAPIV3Schema",
              '"' + e.getPattern() + '"',
              "must be a valid regular expression"));
    }
  }
}
