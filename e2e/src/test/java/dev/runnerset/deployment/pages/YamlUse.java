package dev.runnerset.deployment.pages;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a document of YAML on a page is for, and so how it is checked. */
sealed interface YamlUse {
  /** An object, or a part of one of ours that was made whole: the API server judges it. */
  record Applied(GenericKubernetesResource object) implements YamlUse {}

  /** Values of a chart: helm judges them, together with the options that it needs at least. */
  record Values(String chart, List<String> least) implements YamlUse {}

  /** Nothing here can judge it; the reason says who reads it. */
  record NotHere(String reason) implements YamlUse {}

  /** Nobody knows what it is for: a fault of the page, or a missing row here. */
  record Unknown() implements YamlUse {}

  /** Kinds that this control plane does not have. */
  Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("ServiceMonitor", "a kind of the Prometheus operator"),
          Map.entry("PodMonitor", "a kind of the Prometheus operator"),
          Map.entry("PrometheusRule", "a kind of the Prometheus operator"),
          Map.entry("ExternalSecret", "a kind of External Secrets"),
          Map.entry("SecretStore", "a kind of External Secrets"),
          Map.entry("ClusterSecretStore", "a kind of External Secrets"),
          Map.entry("SealedSecret", "a kind of Sealed Secrets"),
          Map.entry("Cluster", "read by kind"),
          Map.entry("Kustomization", "read by kustomize or Flux"),
          Map.entry("AutoscalingRunnerSet", "a kind of actions-runner-controller"),
          Map.entry("Policy", "read by an API server when it starts"));

  /** Files of other programs, by how they begin. */
  Map<String, String> READERS =
      Map.of(
          "route:", "read by Alertmanager",
          "pipeline_stages:", "read by Promtail",
          "parsers:", "read by Fluent Bit");

  Set<String> OBJECT = Set.of("apiVersion", "kind", "metadata", "spec", "status");

  /** The use of one document. */
  static YamlUse of(String text) {
    if (text.lines().anyMatch(line -> line.startsWith("- alert:") || line.startsWith("groups:"))) {
      return new NotHere("read by Prometheus");
    }
    for (var reader : READERS.entrySet()) {
      if (text.startsWith(reader.getKey())) {
        return new NotHere(reader.getValue());
      }
    }
    GenericKubernetesResource object =
        Serialization.unmarshal(text, GenericKubernetesResource.class);
    if (object.getKind() != null && OTHERS.containsKey(object.getKind())) {
      return new NotHere(OTHERS.get(object.getKind()));
    }
    if (object.getKind() != null && object.getApiVersion() != null) {
      return new Applied(object);
    }
    var further = object.getAdditionalProperties();
    if (OBJECT.containsAll(further.keySet())) {
      return new Applied(whole(object));
    }
    if (further.containsKey("jobs") || further.containsKey("runs-on")) {
      return new NotHere("a workflow, read by GitHub");
    }
    if (further.containsKey("updates")) {
      return new NotHere("read by Dependabot");
    }
    return valuesOf(further.keySet());
  }

  /** Values of the chart that has all these keys. */
  private static YamlUse valuesOf(Set<String> keys) {
    if (Pages.valuesOf("runnerset-set").containsAll(keys)) {
      return new Values(
          "runnerset-set",
          List.of("--set githubConfigUrl=https://github.com/my-org", "--set githubConfigSecret=s"));
    }
    return Pages.valuesOf("runnerset").containsAll(keys)
        ? new Values("runnerset", List.of())
        : new Unknown();
  }

  /** A part of an object of ours, with the least that the rest needs. */
  private static GenericKubernetesResource whole(GenericKubernetesResource part) {
    var kind = part.getKind() == null ? "AutoScalingRunnerSet" : part.getKind();
    part.setKind(kind);
    part.setApiVersion("runnerset.dev/v1alpha1");
    if (part.getMetadata() == null) {
      part.setMetadata(new ObjectMeta());
    }
    if (part.getMetadata().getName() == null) {
      part.getMetadata().setName("linux");
    }
    var spec = new LinkedHashMap<String, Object>(least(kind));
    if (part.getAdditionalProperties().get("spec") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> spec.put(key.toString(), value));
    }
    part.setAdditionalProperty("spec", spec);
    return part;
  }

  private static Map<String, Object> least(String kind) {
    Map<String, Object> template =
        Map.of("spec", Map.of("containers", List.of(Map.of("name", "runner", "image", "runner"))));
    Map<String, Object> access =
        Map.of(
            "githubConfigUrl",
            "https://github.com/my-org",
            "githubConfigSecret",
            Map.of("name", "github"));
    var spec = new LinkedHashMap<String, Object>(access);
    spec.put("template", template);
    if (kind.equals("EphemeralRunnerSet")) {
      spec.putAll(Map.of("revision", "1", "runnerScaleSetId", 1));
    }
    return spec;
  }
}
