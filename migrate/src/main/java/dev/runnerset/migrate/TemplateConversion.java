package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pod template: taken as it is, but for what would mean something else here. */
final class TemplateConversion {
  private final List<Note> notes;
  private final ServiceAccounts accounts;
  private final Surroundings around;

  /**
   * The service accounts that ARC's chart made for this set; null where it made none.
   *
   * @param addsModes whether the account of a set without one is the chart's matter
   */
  record ServiceAccounts(
      @Nullable String noPermission, @Nullable String kubernetesMode, boolean addsModes) {}

  /**
   * What the rest of the set says about its pods.
   *
   * @param name of the new set
   * @param mode the container mode that our chart adds; null for none
   * @param variables of the environment that the controller sets in the container of the runner
   * @param labels of the set, which ARC hands down to pods
   */
  record Surroundings(
      String name, @Nullable String mode, Set<String> variables, ObjectNode labels) {}

  TemplateConversion(List<Note> notes, ServiceAccounts accounts, Surroundings around) {
    this.notes = notes;
    this.accounts = accounts;
    this.around = around;
  }

  /** Our form of the template at a path; empty if there is nothing to say. */
  ObjectNode of(String path, ObjectNode given) {
    var template = (ObjectNode) withoutNulls(given.deepCopy());
    var fields = new Fields(path, template, notes);
    var result = JsonNodeFactory.instance.objectNode();
    var metadata = JsonNodeFactory.instance.objectNode();
    fields.with(
        "metadata",
        theirs -> {
          theirs.moveMetadata(metadata, Metadata.OF_PODS);
          theirs.leaveOut("template.metadata");
        });
    handDown(path, metadata);
    for (var part : metadata) {
      texts(path, (ObjectNode) part);
    }
    if (!metadata.isEmpty()) {
      result.set("metadata", metadata);
    }
    var spec = fields.object("spec");
    if (spec != null) {
      result.set("spec", spec(path + ".spec", spec));
    }
    fields.tellRest();
    PodNotes.add(path, result, around.name(), notes);
    return result;
  }

  /** ARC copies the labels of its set to pods; the template wins. */
  private void handDown(String path, ObjectNode metadata) {
    if (around.labels().isEmpty()) {
      return;
    }
    var labels = metadata.withObjectProperty("labels");
    for (var label : around.labels().properties()) {
      if (!labels.has(label.getKey())) {
        labels.set(label.getKey(), label.getValue());
      }
    }
    tell(
        path,
        "metadata.labels",
        "has the labels of the set, too ("
            + String.join(", ", around.labels().properties().stream().map(l -> l.getKey()).toList())
            + "): ARC copies them to its pods");
  }

  /** Numbers and truths as the texts that labels and annotations are. */
  private void texts(String path, ObjectNode map) {
    for (var entry : map.deepCopy().properties()) {
      if (entry.getValue().isValueNode() && !entry.getValue().isTextual()) {
        map.put(entry.getKey(), entry.getValue().asText());
        tell(path, "metadata", entry.getKey() + " was no text; it is in quotes now");
      }
    }
  }

  private ObjectNode spec(String path, ObjectNode spec) {
    var restart = spec.path("restartPolicy").asText("Never");
    if (!restart.equals("Never")) {
      spec.put("restartPolicy", "Never");
      tell(path, "restartPolicy", "is Never: a runner runs one job and is gone");
    }
    account(path, spec);
    new Containers(path, around, notes).convert(spec);
    return spec;
  }

  /** A key without a value is an absent one for the API server, and another one for Helm. */
  private static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(field -> field.getValue().isNull());
    }
    node.forEach(TemplateConversion::withoutNulls);
    return node;
  }

  /** No token is mounted here unless the template asks for it; there it was the other way. */
  private void account(String path, ObjectNode spec) {
    var account = spec.path("serviceAccountName").asText("");
    if (!account.isEmpty() && account.equals(accounts.noPermission())) {
      spec.remove("serviceAccountName");
      tell(
          path,
          "serviceAccountName",
          "was left out: '"
              + account
              + "' goes with ARC's release, and runners get no token here unless"
              + " automountServiceAccountToken is true");
      return;
    }
    if (!account.isEmpty() && account.equals(accounts.kubernetesMode())) {
      tell(
          path,
          "serviceAccountName",
          "'"
              + account
              + "' and its role go with ARC's release: make your own before that, or use"
              + " charts/runnerset-set with containerMode.type kubernetes");
    }
    if (spec.has("automountServiceAccountToken")) {
      return;
    }
    if (!account.isEmpty()) {
      spec.put("automountServiceAccountToken", true);
      tell(
          path,
          "automountServiceAccountToken",
          "is true, as it was: without it no token of '" + account + "' is mounted here");
    } else if (!accounts.addsModes()) {
      tell(
          path,
          "automountServiceAccountToken",
          "is false by default here: set it to true if jobs use the token of the service account"
              + " default");
    }
  }

  private void tell(String path, String field, String text) {
    notes.add(new Note(path + "." + field, text));
  }
}
