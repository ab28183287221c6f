package dev.runnerset.cli.cluster;

import dev.runnerset.kube.Denial;

/**
 * Something that could not be read, so that a part of an answer is missing.
 *
 * @param verb as a role names it
 * @param resource with its group: {@code ephemeralrunners.runnerset.dev}
 * @param namespace empty for the whole cluster
 * @param sentence what is missing, and what to change
 */
public record Gap(String verb, String resource, String namespace, String sentence) {
  /** A right that the person does not have. */
  public static Gap missingRight(String verb, String resource, String namespace) {
    var where = namespace.isEmpty() ? "in all namespaces" : "in the namespace " + namespace;
    return new Gap(
        verb,
        resource,
        namespace,
        "You have no right to %s %s %s: ask for it, or check with: kubectl auth can-i %s %s %s"
            .formatted(
                verb,
                resource,
                where,
                verb,
                resource,
                namespace.isEmpty() ? "-A" : "-n " + namespace));
  }

  /** The same, as the server named what is missing. */
  static Gap of(Denial denial) {
    var resource =
        denial.group().isEmpty() ? denial.resource() : denial.resource() + "." + denial.group();
    return missingRight(denial.verb(), resource, denial.namespace());
  }
}
