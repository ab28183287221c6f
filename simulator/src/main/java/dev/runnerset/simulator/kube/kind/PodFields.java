package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The fields a pod's spec and its containers have: others are typing errors. Deeper ones pass. */
public final class PodFields {
  private static final Set<String> SPEC =
      fields(
          """
          activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy
          enableServiceLinks ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers
          hostname hostnameOverride imagePullSecrets initContainers nodeName nodeSelector os overhead
          preemptionPolicy priority priorityClassName readinessGates resourceClaims resources
          restartPolicy runtimeClassName schedulerName schedulingGates securityContext serviceAccount
          serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain
          terminationGracePeriodSeconds tolerations topologySpreadConstraints volumes workloadRef
          """);
  private static final Set<String> CONTAINER =
      fields(
          """
          args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports
          readinessProbe resizePolicy resources restartPolicy restartPolicyRules securityContext
          startupProbe stdin stdinOnce targetContainerName terminationMessagePath
          terminationMessagePolicy tty volumeDevices volumeMounts workingDir
          """);
  private static final Set<String> ENV = Set.of("name", "value", "valueFrom");
  private static final Set<String> MOUNT =
      fields("name mountPath readOnly recursiveReadOnly subPath subPathExpr mountPropagation");
  private static final Set<String> TOP = Set.of("apiVersion", "kind", "metadata", "spec", "status");

  private PodFields() {}

  private static Set<String> fields(String words) {
    return Set.of(words.strip().split("\\s+"));
  }

  static void prune(ObjectNode pod, List<String> unknown) {
    keep(pod, TOP, "", unknown);
    JsonNode spec = pod.path("spec");
    keep(spec, SPEC, "spec.", unknown);
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      for (int i = 0; i < spec.path(list).size(); i++) {
        JsonNode container = spec.path(list).path(i);
        String at = "spec." + list + "[" + i + "].";
        keep(container, CONTAINER, at, unknown);
        keepEach(container.path("env"), ENV, at + "env", unknown);
        keepEach(container.path("volumeMounts"), MOUNT, at + "volumeMounts", unknown);
      }
    }
  }

  private static void keepEach(JsonNode list, Set<String> known, String at, List<String> unknown) {
    for (int i = 0; i < list.size(); i++) {
      keep(list.path(i), known, at + "[" + i + "].", unknown);
    }
  }

  private static void keep(JsonNode node, Set<String> known, String at, List<String> unknown) {
    if (node instanceof ObjectNode object) {
      for (String name : new ArrayList<>(object.propertyStream().map(e -> e.getKey()).toList())) {
        if (!known.contains(name)) {
          object.remove(name);
          unknown.add(at + name);
        }
      }
    }
  }
}
