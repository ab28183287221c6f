package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The pod template: taken as it is, but for what would mean something else here. */
final class TemplateConversion {
  private static final String RUNNER = "runner";

  /** Labels and annotations of ARC's runner pods, which ours do not bear. */
  private static final List<String> FOREIGN =
      List.of("actions.github.com/", "actions-ephemeral-runner");

  /** Set by our controller on the container of the runner, whatever the template says. */
  private static final Set<String> OWN_ENVIRONMENT =
      Set.of(
          "ACTIONS_RUNNER_INPUT_JITCONFIG",
          "ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE",
          "GITHUB_ACTIONS_RUNNER_EXTRA_USER_AGENT");

  private final List<Note> notes;
  private final ServiceAccounts accounts;

  /**
   * The service accounts that ARC's chart made for this set; null where it made none.
   *
   * @param addsModes whether the account of a set without one is the chart's matter
   */
  record ServiceAccounts(
      @Nullable String noPermission, @Nullable String kubernetesMode, boolean addsModes) {}

  TemplateConversion(List<Note> notes, ServiceAccounts accounts) {
    this.notes = notes;
    this.accounts = accounts;
  }

  /** Our form of the template at a path. */
  ObjectNode of(String path, ObjectNode template) {
    var fields = new Fields(path, template, notes);
    var result = JsonNodeFactory.instance.objectNode();
    fields.with(
        "metadata",
        metadata -> {
          var kept = metadata(metadata);
          if (!kept.isEmpty()) {
            result.set("metadata", kept);
          }
        });
    var spec = fields.object("spec");
    if (spec != null) {
      result.set("spec", spec(path + ".spec", spec));
    }
    fields.tellRest();
    tellForeignKeys(path, result);
    return result;
  }

  private static ObjectNode metadata(Fields fields) {
    var kept = JsonNodeFactory.instance.objectNode();
    fields.moveMetadata(kept);
    fields.leaveOut("template.metadata");
    return kept;
  }

  private ObjectNode spec(String path, ObjectNode given) {
    var spec = given.deepCopy();
    var restart = spec.path("restartPolicy").asText("Never");
    if (!restart.equals("Never")) {
      spec.put("restartPolicy", "Never");
      tell(path, "restartPolicy", "is Never: a runner runs one job and is gone");
    }
    account(path, spec);
    var containers = spec.path("containers");
    boolean named = containers.findValuesAsText("name").contains(RUNNER);
    if (!containers.isMissingNode() && !named) {
      tell(
          path,
          "containers",
          "no container is named runner: give that name to the container that runs the runner, or"
              + " the template is refused");
    }
    for (var container : containers) {
      if (container.path("name").asText().equals(RUNNER)) {
        environment(path + ".containers[runner]", container);
      }
    }
    return spec;
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

  private void environment(String path, JsonNode container) {
    var own = new TreeSet<>(container.path("env").findValuesAsText("name"));
    own.retainAll(OWN_ENVIRONMENT);
    if (!own.isEmpty()) {
      tell(
          path,
          "env",
          String.join(", ", own) + ": the controller sets this, the value has no effect");
    }
  }

  /** Selectors and references that no pod of ours answers to. */
  private void tellForeignKeys(String path, ObjectNode template) {
    var found = new TreeSet<String>();
    collect(path, template, found);
    for (var place : found) {
      notes.add(
          new Note(
              place,
              "names a label or annotation of ARC's pods, which ours do not have: use"
                  + " runnerset.dev/set with the name of the set"));
    }
  }

  private static void collect(String path, JsonNode node, Set<String> found) {
    if (node.isTextual() && FOREIGN.stream().anyMatch(node.asText()::contains)) {
      found.add(path);
    } else if (node.isArray()) {
      int index = 0;
      for (var item : node) {
        var name = item.path("name").asText(Integer.toString(index++));
        collect(path + "[" + name + "]", item, found);
      }
    } else {
      for (var field : node.properties()) {
        if (FOREIGN.stream().anyMatch(field.getKey()::startsWith)) {
          found.add(path);
        } else {
          collect(path + "." + field.getKey(), field.getValue(), found);
        }
      }
    }
  }

  private void tell(String path, String field, String text) {
    notes.add(new Note(path + "." + field, text));
  }
}
