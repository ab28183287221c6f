package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The containers of a template: what would be refused here, or would mean something else. */
final class Containers {
  static final String RUNNER = "runner";
  private static final String DIND = "dind";

  private final String path;
  private final TemplateConversion.Surroundings around;
  private final List<Note> notes;

  /**
   * Conversion of containers.
   *
   * @param path of the spec of the pod
   */
  Containers(String path, TemplateConversion.Surroundings around, List<Note> notes) {
    this.path = path;
    this.around = around;
    this.notes = notes;
  }

  /** Changes the containers of the spec of a pod. */
  void convert(ObjectNode spec) {
    for (var list : new String[] {"initContainers", "containers"}) {
      if (!(spec.get(list) instanceof ArrayNode containers)) {
        continue;
      }
      if (list.equals("containers")) {
        runner(containers);
        withoutDind(containers);
      }
      for (var container : containers) {
        if (container instanceof ObjectNode object) {
          var name = object.path("name").asText("?");
          environment(list + "[" + name + "].env", object, name.equals(RUNNER));
          if (list.equals("containers")) {
            tellSideCar(name, object);
          }
        }
      }
    }
  }

  private void runner(ArrayNode containers) {
    var runner = named(containers, RUNNER);
    if (runner == null) {
      tell(
          "containers",
          "no container is named runner: give that name to the container that runs the runner, or"
              + " the template is refused");
    } else if (runner.path("image").asText().contains("/actions-runner:")
        && runner.path("command").isEmpty()
        && runner.path("args").isEmpty()) {
      tell(
          "containers[runner].command",
          "is absent: an image that is made from GitHub's does not start the runner by itself, write"
              + " [/home/runner/run.sh]");
    }
    for (var container : containers) {
      if (container.path("name").asText("").isEmpty()) {
        tell("containers", "a container has no name, which charts/runnerset-set refuses: name it");
      }
    }
  }

  private static @Nullable JsonNode named(ArrayNode containers, String name) {
    for (var container : containers) {
      if (container.path("name").asText().equals(name)) {
        return container;
      }
    }
    return null;
  }

  /** In mode dind ARC's chart prints its own container of that name only. */
  private void withoutDind(ArrayNode containers) {
    if (!DIND.equals(around.mode())) {
      return;
    }
    for (int i = containers.size() - 1; i >= 0; i--) {
      if (containers.get(i).path("name").asText().equals(DIND)) {
        containers.remove(i);
        tell(
            "containers[dind]",
            "was left out, as by ARC: in mode dind the chart makes this container. Write what you"
                + " want to change of it into template.spec.initContainers, under the same name");
      }
    }
  }

  private void tellSideCar(String name, ObjectNode container) {
    var image = container.path("image").asText();
    if (!name.equals(RUNNER) && image.matches("(.*/)?docker(:.*|@.*)?|.*dind.*")) {
      tell(
          "containers[" + name + "]",
          "Docker as an ordinary container starts beside the runner, which may not find it yet, and"
              + " keeps the pod running after the runner. A side-car does neither: use"
              + " containerMode.type dind of charts/runnerset-set, or move it to initContainers with"
              + " restartPolicy: Always and a startupProbe");
    }
  }

  private void environment(String place, ObjectNode container, boolean runner) {
    var given = container.path("env");
    if (given.isMissingNode()) {
      return;
    }
    if (!(given instanceof ArrayNode variables)) {
      tell(
          place,
          "is no list, which charts/runnerset-set and the API server refuse: write [{name: A, value: b}]");
      return;
    }
    var ineffective = new TreeSet<String>();
    for (int i = variables.size() - 1; i >= 0; i--) {
      if (!(variables.get(i) instanceof ObjectNode variable)) {
        tell(
            place,
            "an entry is no map, which charts/runnerset-set refuses: write {name: A, value: b}");
        continue;
      }
      var name = variable.path("name").asText();
      var value = variable.path("value");
      if (value.isNumber() || value.isBoolean()) {
        variable.put("value", value.asText());
        tell(
            place + "[" + name + "].value",
            "was no text, which a variable needs; it is in quotes now");
      }
      if (runner && around.variables().contains(name)) {
        ineffective.add(name);
        variables.remove(i);
      }
    }
    if (!ineffective.isEmpty()) {
      tell(
          place,
          String.join(", ", ineffective)
              + ": was left out, the controller sets it in this container");
    }
    if (variables.isEmpty()) {
      container.remove("env");
    }
  }

  private void tell(String field, String text) {
    notes.add(new Note(path + "." + field, text));
  }

  /** Set by our controller on the container of the runner, whatever the template says. */
  static Set<String> ownVariables(JsonNode proxy) {
    var own =
        new TreeSet<>(
            Set.of(
                "ACTIONS_RUNNER_INPUT_JITCONFIG",
                "ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE",
                "GITHUB_ACTIONS_RUNNER_EXTRA_USER_AGENT"));
    if (proxy.has("http")) {
      own.addAll(Set.of("http_proxy", "HTTP_PROXY"));
    }
    if (proxy.has("https")) {
      own.addAll(Set.of("https_proxy", "HTTPS_PROXY"));
    }
    if (proxy.has("noProxy")) {
      own.addAll(Set.of("no_proxy", "NO_PROXY"));
    }
    return own;
  }
}
