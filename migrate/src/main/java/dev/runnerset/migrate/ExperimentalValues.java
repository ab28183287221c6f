package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values of the chart gha-runner-scale-set-experimental in the layout of the chart
 * gha-runner-scale-set.
 */
final class ExperimentalValues {
  private static final String RUNNER = "runner";
  private static final Map<String, String> NAMES =
      Map.of(
          "name", "runnerScaleSetName",
          "runnerGroup", "runnerGroup",
          "labels", "scaleSetLabels",
          "minRunners", "minRunners",
          "maxRunners", "maxRunners");

  /** Fields of both charts. */
  private static final String[] SAME = {
    "proxy",
    "githubServerTLS",
    "listenerMetrics",
    "controllerServiceAccount",
    "namespaceOverride",
    "USER-SUPPLIED VALUES",
    "COMPUTED VALUES"
  };

  /** What Docker's part of that chart does by default, as this chart does it always. */
  private static final SortedMap<String, String> DIND_DEFAULTS =
      new TreeMap<>(
          Map.of(
              "copyRunnerExternals", "true",
              "dockerGroupId", "123",
              "dockerSock", "unix:///var/run/docker.sock",
              "waitForDockerInSeconds", "120"));

  private static final Set<String> HOOK_MODES = Set.of("kubernetes", "kubernetes-novolume");

  private static final String NO_EFFECT =
      "was left out: it has an effect in the modes kubernetes and kubernetes-novolume only";

  private final List<Note> notes;
  private final ObjectNode values = JsonNodeFactory.instance.objectNode();

  private ExperimentalValues(List<Note> notes) {
    this.notes = notes;
  }

  /** Whether values have that layout. */
  static boolean isOne(ObjectNode values) {
    return !values.has("githubConfigUrl")
        && List.of("auth", "scaleset", RUNNER).stream()
            .anyMatch(field -> values.path(field).isObject());
  }

  /** The values in the stable layout; what has no place there is reported. */
  static ObjectNode stable(ObjectNode experimental, List<Note> notes) {
    var conversion = new ExperimentalValues(notes);
    conversion.convert(experimental.deepCopy());
    return conversion.values;
  }

  private void convert(ObjectNode given) {
    var fields = new Fields("", given, notes);
    fields.with(
        "scaleset",
        scaleSet -> NAMES.forEach((theirs, stable) -> scaleSet.move(theirs, values, stable)));
    fields.with("auth", this::credentials);
    fields.with("secretResolution", ExperimentalValues::resolution);
    fields.with(RUNNER, this::runner);
    resources(fields); // after the mode
    if (mode().isEmpty()) {
      values.remove("containerMode");
    }
    fields.with(
        "listener",
        listener -> {
          listener.leaveOut("experimental.listener");
          listener.move("podTemplate", values, "listenerTemplate");
          listener.move("metrics", values, "listenerMetrics");
        });
    fields.move("listenerPodTemplate", values, "listenerTemplate");
    fields.move(values, SAME);
    fields.tellRest();
    var account = values.path("controllerServiceAccount");
    if (account.path("name").asText().isEmpty() && account.path("namespace").asText().isEmpty()) {
      values.remove("controllerServiceAccount");
    }
  }

  private void credentials(Fields auth) {
    auth.move("url", values, "githubConfigUrl");
    var name = auth.text("secretName");
    var app = auth.object("app");
    var token = auth.text("githubToken");
    if (name != null) {
      values.put("githubConfigSecret", name);
    } else if (app != null
        && app.properties().stream().anyMatch(f -> !Fields.isEmpty(f.getValue()))) {
      var secret = values.putObject("githubConfigSecret");
      var fields = new Fields("auth.app", app, notes);
      fields.move("clientId", secret, "github_app_id");
      fields.move("installationId", secret, "github_app_installation_id");
      fields.move("privateKey", secret, "github_app_private_key");
      fields.tellRest();
    } else if (token != null) {
      values.putObject("githubConfigSecret").put("github_token", token);
    }
  }

  private static void resolution(Fields resolution) {
    var type = resolution.text("type");
    if (type != null && !type.equals("kubernetes")) {
      resolution.note(
          "type",
          "was left out: credentials are read from Kubernetes secrets only. Bring the key of the vault"
              + " into the secret that githubConfigSecret names, as with External Secrets");
    }
    resolution.leaveOut("experimental.secretResolution");
  }

  private void resources(Fields values) {
    var resources = values.object("resource");
    if (resources == null) {
      return;
    }
    for (var resource : resources.properties()) {
      var path = "resource." + resource.getKey();
      if (!(resource.getValue() instanceof ObjectNode object)) {
        continue;
      }
      var fields = new Fields(path, object, notes);
      var metadata = withoutEmpty(fields.object("metadata"));
      if (resource.getKey().equals("all")) {
        metadata.properties().forEach(f -> this.values.set(f.getKey(), f.getValue()));
      } else if (!metadata.isEmpty()) {
        this.values.withObjectProperty("resourceMeta").set(resource.getKey(), metadata);
      }
      if (resource.getKey().equals("kubernetesModeRole")) {
        roleRules(fields);
      }
      fields.drop("extraRules", "was left out: the controller's role is the one of this chart");
      fields.tellRest();
    }
  }

  /** Where the runner has a role of the chart; elsewhere the chart refuses them. */
  private void roleRules(Fields role) {
    if (!runsJobsInPods()) {
      role.drop("extraRules", NO_EFFECT);
    } else if (values.path("template").path("spec").has("serviceAccountName")) {
      role.drop(
          "extraRules",
          "was left out: the chart makes no role for the service account that you name");
    } else {
      role.move("extraRules", mode(), "kubernetesModeAdditionalRoleRules");
    }
  }

  private static ObjectNode withoutEmpty(@Nullable ObjectNode object) {
    var kept = JsonNodeFactory.instance.objectNode();
    if (object != null) {
      for (var field : object.properties()) {
        if (!Fields.isEmpty(field.getValue())) {
          kept.set(field.getKey(), field.getValue());
        }
      }
    }
    return kept;
  }

  private void runner(Fields fields) {
    fields.move("mode", mode(), "type");
    var template = values.putObject("template");
    var container = fields.object("container");
    var runner = JsonNodeFactory.instance.objectNode().put("name", RUNNER);
    if (container != null) {
      runner.setAll(container);
      runner.put("name", RUNNER);
    }
    if (Fields.isEmpty(runner.path("image"))) { // that chart has a default for each of the two
      runner.put("image", "ghcr.io/actions/actions-runner:latest");
    }
    if (Fields.isEmpty(runner.path("command"))) {
      runner.putArray("command").add("/home/runner/run.sh");
    }
    if (fields.take("env") instanceof ArrayNode env) {
      runner.withArrayProperty("env").addAll(env);
    }
    var spec = template.putObject("spec");
    spec.putArray("containers").add(runner);
    fields.with(
        "pod",
        pod -> {
          pod.move(template, "metadata");
          var more = pod.object("spec");
          if (more != null) {
            spec(more, spec);
          }
        });
    fields.with("dind", ExperimentalValues::dind);
    fields.with("kubernetesMode", mode -> kubernetesMode(mode, spec, runner));
  }

  private static void spec(ObjectNode given, ObjectNode spec) {
    for (var field : given.properties()) {
      if (field.getKey().equals("containers") && field.getValue() instanceof ArrayNode more) {
        spec.withArrayProperty("containers").addAll(more);
      } else if (!Fields.isEmpty(field.getValue())) {
        spec.set(field.getKey(), field.getValue());
      }
    }
  }

  private static void dind(Fields dind) {
    DIND_DEFAULTS.forEach((field, normal) -> {
      var value = dind.take(field);
      if (value != null && !value.asText().equals(normal)) {
        dind.note(field, "was left out: it is " + normal + " here");
      }
    });
    var container = dind.object("container");
    if (container != null
        && !(container.size() == 1 && container.path("image").asText().equals("docker:dind"))) {
      dind.note(
          "container",
          "was left out: write a container named dind into template.spec.initContainers, it wins"
              + " over the chart's");
    }
  }

  private void kubernetesMode(Fields given, ObjectNode spec, ObjectNode runner) {
    boolean on = runsJobsInPods();
    given.move("serviceAccountName", spec, "serviceAccountName");
    var hook = given.text("hookPath");
    var required = given.take("requireJobContainer");
    var claim = given.object("workVolumeClaim");
    if (on) {
      if (hook != null && !hook.equals("/home/runner/k8s/index.js")) {
        environment(runner, "ACTIONS_RUNNER_CONTAINER_HOOKS", hook);
      }
      if (required != null && !required.asBoolean(true)) {
        environment(runner, "ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER", "false");
      }
      if (mode().path("type").asText().equals("kubernetes")) {
        mode().set("kubernetesModeWorkVolumeClaim", claim(claim));
      } else if (claim != null) {
        given.note("workVolumeClaim", "was left out: it has an effect in mode kubernetes only");
      }
      given.drop(
          "extensionRef",
          "was left out: write the extension into containerMode.kubernetesModeHookExtension");
      given.with("extension", this::extension);
    }
    if (!on) {
      noteIfGiven(given, "workVolumeClaim", claim);
      noteIfGiven(given, "requireJobContainer", required);
      noteIfGiven(given, "hookPath", hook);
    }
    given.drop("extensionRef", NO_EFFECT);
    given.drop("extension", NO_EFFECT);
  }

  private static void noteIfGiven(Fields given, String field, @Nullable Object value) {
    if (value != null) {
      given.note(field, NO_EFFECT);
    }
  }

  /** An object, or a text that is one in YAML: that chart takes both. */
  private void extension(Fields extension) {
    var given = extension.take("yaml");
    var yaml = given != null && given.isTextual() ? onlyDocument(given.asText()) : given;
    if (yaml instanceof ObjectNode object) {
      var parts = new Fields(extension.path("yaml"), object, notes);
      for (var part : new String[] {"metadata", "spec"}) {
        var value = parts.object(part);
        if (value != null) {
          mode().withObjectProperty("kubernetesModeHookExtension").set(part, value);
        }
      }
      parts.tellRest();
    } else if (given != null) {
      extension.note(
          "yaml",
          "was left out, as it is no YAML object: write metadata and spec into"
              + " containerMode.kubernetesModeHookExtension");
    }
    extension.leaveOut("experimental.extension");
  }

  private static @Nullable JsonNode onlyDocument(String text) {
    try {
      var documents = Yaml.read("extension", text);
      return documents.size() == 1 ? documents.getFirst() : null;
    } catch (BadInput e) {
      return null; // the note on it says what to do
    }
  }

  private boolean runsJobsInPods() {
    return HOOK_MODES.contains(mode().path("type").asText());
  }

  /** With that chart's defaults. */
  private static ObjectNode claim(@Nullable ObjectNode given) {
    var claim = JsonNodeFactory.instance.objectNode();
    claim.putArray("accessModes").add("ReadWriteOnce");
    claim.put("storageClassName", "local-path");
    claim.putObject("resources").putObject("requests").put("storage", "1Gi");
    if (given != null) {
      claim.setAll(given);
    }
    return claim;
  }

  private static void environment(ObjectNode runner, String name, String value) {
    runner.withArrayProperty("env").addObject().put("name", name).put("value", value);
  }

  private ObjectNode mode() {
    return values.withObjectProperty("containerMode");
  }
}
