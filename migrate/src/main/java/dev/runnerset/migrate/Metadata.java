package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Which labels and annotations go along: those of people, not those of programs. */
enum Metadata {
  /** Of a set on the cluster: programs write theirs, and nobody misses them. */
  OF_A_SET,
  /** Of values: all is written by people. */
  OF_VALUES,
  /** Of pods: only two keys are the controller's. */
  OF_PODS;

  /** Keys by which a program knows its own objects. */
  private static final List<String> PROGRAMS =
      List.of(
          "actions.github.com/",
          "meta.helm.sh/",
          "helm.sh/chart",
          "kubectl.kubernetes.io/last-applied-configuration",
          "argocd.argoproj.io/tracking-id",
          "argocd.argoproj.io/instance",
          "kustomize.toolkit.fluxcd.io/name",
          "kustomize.toolkit.fluxcd.io/checksum",
          "helm.toolkit.fluxcd.io/name",
          "objectset.rio.cattle.io/",
          "runner-scale-set-id");

  private static final String APP = "app.kubernetes.io/";

  /**
   * Labels that the chart and the controller write, and what they write; other text is a user's.
   */
  private static final Map<String, Pattern> WRITTEN =
      Map.of(
          APP + "name", Pattern.compile(".*"),
          APP + "instance", Pattern.compile(".*"),
          APP + "version", Pattern.compile(".*"),
          APP + "component", Pattern.compile("autoscaling-runner-set|runner-set"),
          APP + "part-of", Pattern.compile("gha-rs.*|gha-runner-scale-set.*"),
          APP + "managed-by", Pattern.compile("Helm"));

  private static final Set<String> OF_THE_CONTROLLER = Set.of(APP + "component", APP + "part-of");

  /**
   * The keys of people.
   *
   * @param leftOut receives each key of people that cannot go along
   */
  ObjectNode ofPeople(ObjectNode all, Consumer<String> leftOut) {
    var kept = JsonNodeFactory.instance.objectNode();
    for (var entry : all.properties()) {
      var key = entry.getKey();
      if (isKept(key)) {
        kept.set(key, entry.getValue());
      } else if (!isWrittenByPrograms(key, entry.getValue().asText())) {
        leftOut.accept(key);
      }
    }
    return kept;
  }

  private boolean isKept(String key) {
    if (this == OF_PODS) {
      return !OF_THE_CONTROLLER.contains(key) && !key.startsWith(PROGRAMS.getFirst());
    }
    return !WRITTEN.containsKey(key) && PROGRAMS.stream().noneMatch(key::startsWith);
  }

  private boolean isWrittenByPrograms(String key, String value) {
    var usual = WRITTEN.get(key);
    return this == OF_A_SET && (usual == null || usual.matcher(value).matches());
  }
}
