package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which labels and annotations go along: those of people, not those of programs. */
final class Metadata {
  /** Prefixes of keys by which a program knows its own objects. */
  private static final List<String> PROGRAMS =
      List.of(
          "actions.github.com/",
          "helm.sh/",
          "meta.helm.sh/",
          "kubectl.kubernetes.io/",
          "argocd.argoproj.io/",
          "kustomize.toolkit.fluxcd.io/",
          "helm.toolkit.fluxcd.io/",
          "objectset.rio.cattle.io/");

  private static final Set<String> PROGRAM_KEYS =
      Set.of(
          "app.kubernetes.io/name",
          "app.kubernetes.io/instance",
          "app.kubernetes.io/version",
          "app.kubernetes.io/component",
          "app.kubernetes.io/part-of",
          "app.kubernetes.io/managed-by",
          "runner-scale-set-id");

  private Metadata() {}

  /** The keys of people; null if there are none. */
  static @Nullable ObjectNode ofPeople(@Nullable ObjectNode all) {
    if (all == null) {
      return null;
    }
    var kept = JsonNodeFactory.instance.objectNode();
    for (var entry : all.properties()) {
      if (!isOfAProgram(entry.getKey())) {
        kept.set(entry.getKey(), entry.getValue());
      }
    }
    return kept.isEmpty() ? null : kept;
  }

  private static boolean isOfAProgram(String key) {
    return PROGRAM_KEYS.contains(key) || PROGRAMS.stream().anyMatch(key::startsWith);
  }
}
