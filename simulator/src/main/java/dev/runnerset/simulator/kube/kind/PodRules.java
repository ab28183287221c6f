package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pods: the defaults, checks and frozen fields that a runner's template can run into. */
public final class PodRules implements ObjectRules {
  private static final Set<String> RESTART_POLICIES = Set.of("Always", "OnFailure", "Never");
  private static final List<String> CONTAINER_LISTS = List.of("initContainers", "containers");

  @Override
  public List<String> prune(ObjectNode pod) {
    Json.dropNulls(pod);
    List<String> unknown = new ArrayList<>();
    PodFields.prune(pod, unknown);
    return unknown;
  }

  @Override
  public void resetForCreate(ObjectNode pod) {
    pod.putObject("status").put("phase", "Pending").put("qosClass", "BestEffort");
  }

  @Override
  public void fillDefaults(ObjectNode pod) {
    ObjectNode spec = pod.withObjectProperty("spec");
    set(spec, "restartPolicy", "Always");
    set(spec, "dnsPolicy", "ClusterFirst");
    set(spec, "schedulerName", "default-scheduler");
    set(spec, "serviceAccountName", "default");
    spec.set("serviceAccount", spec.path("serviceAccountName"));
    if (!spec.has("terminationGracePeriodSeconds")) {
      spec.put("terminationGracePeriodSeconds", 30);
    }
    if (!spec.has("enableServiceLinks")) {
      spec.put("enableServiceLinks", true);
    }
    if (!spec.has("securityContext")) {
      spec.putObject("securityContext");
    }
    for (String list : CONTAINER_LISTS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          fillContainer(object);
        }
      }
    }
    PodResources.fillRequests(spec);
  }

  private static void fillContainer(ObjectNode container) {
    String image = container.path("image").asText();
    String tail = image.substring(image.lastIndexOf('/') + 1);
    boolean latest = !tail.contains("@") && (!tail.contains(":") || tail.endsWith(":latest"));
    set(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent");
    set(container, "terminationMessagePath", "/dev/termination-log");
    set(container, "terminationMessagePolicy", "File");
    if (!container.has("resources")) {
      container.putObject("resources");
    }
    for (JsonNode port : container.path("ports")) {
      if (port instanceof ObjectNode object) {
        set(object, "protocol", "TCP");
      }
    }
  }

  private static void set(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  @Override
  public List<Cause> validate(ObjectNode pod) {
    List<Cause> causes = new ArrayList<>();
    JsonNode spec = pod.path("spec");
    Set<String> names = new HashSet<>();
    for (String list : CONTAINER_LISTS) {
      for (int i = 0; i < spec.path(list).size(); i++) {
        String at = "spec." + list + "[" + i + "]";
        checkContainer(spec.path(list).path(i), at, names, causes);
      }
    }
    if (spec.path("containers").isEmpty()) {
      causes.add(Cause.required("spec.containers", ""));
    }
    if (!RESTART_POLICIES.contains(spec.path("restartPolicy").asText())) {
      causes.add(
          Cause.unsupported(
              "spec.restartPolicy",
              spec.path("restartPolicy"),
              List.of("Always", "OnFailure", "Never")));
    }
    if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
      causes.add(
          Cause.invalid(
              "spec.terminationGracePeriodSeconds",
              spec.path("terminationGracePeriodSeconds"),
              "must be greater than or equal to 0"));
    }
    return causes;
  }

  private static void checkContainer(
      JsonNode container, String at, Set<String> names, List<Cause> causes) {
    String name = container.path("name").asText();
    if (name.isEmpty()) {
      causes.add(Cause.required(at + ".name", ""));
    } else if (!NameRules.isLabel(name)) {
      causes.add(Cause.invalid(at + ".name", '"' + name + '"', NameRules.LABEL_RULE));
    } else if (!names.add(name)) {
      causes.add(Cause.duplicate(at + ".name", name));
    }
    if (container.path("image").asText().isEmpty()) {
      causes.add(Cause.required(at + ".image", ""));
    }
    for (int i = 0; i < container.path("env").size(); i++) {
      if (container.path("env").path(i).path("name").asText().isEmpty()) {
        causes.add(Cause.required(at + ".env[" + i + "].name", ""));
      }
    }
  }

  @Override
  public List<Cause> validateChange(ObjectNode old, ObjectNode next) {
    if (frozen(old).equals(frozen(next))) {
      return List.of();
    }
    return List.of(
        Cause.forbidden(
            "spec",
            "pod updates may not change fields other than `spec.containers[*].image`,"
                + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                + "`spec.tolerations` (only additions to existing tolerations),"
                + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
                + " previously negative)"));
  }

  private static JsonNode frozen(ObjectNode pod) {
    ObjectNode spec = pod.path("spec").deepCopy();
    spec.remove(List.of("activeDeadlineSeconds", "tolerations"));
    for (String list : CONTAINER_LISTS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          object.remove("image");
        }
      }
    }
    return spec;
  }

  @Override
  public Set<String> selectableFields() {
    return Set.of(
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "spec.hostNetwork",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName");
  }
}
