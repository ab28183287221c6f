package dev.runnerset.migrate;

import dev.runnerset.base.Pure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The converted sets as a folder for kustomize: a file for each set, and what lists them. */
@Pure
public final class Kustomization {
  private static final String INDEX = "kustomization.yaml";

  private Kustomization() {}

  /**
   * The files, by name.
   *
   * @throws BadInput if a set is values of a chart, or two sets would have one file
   */
  public static SequencedMap<String, String> files(List<Conversion.Converted> sets) {
    var files = new LinkedHashMap<String, String>();
    for (var set : sets) {
      if (set.isValues()) {
        throw new BadInput(
            set.title()
                + ": values of a chart are no resource for kustomize: convert the output of kubectl"
                + " get autoscalingrunnersets.actions.github.com -A -o yaml");
      }
      var meta = set.output().path("metadata");
      var namespace = meta.path("namespace").asText("");
      var name =
          (namespace.isEmpty() ? "" : namespace + "-") + meta.path("name").asText() + ".yaml";
      if (name.equals(INDEX) || files.put(name, Report.yaml(List.of(set))) != null) {
        throw new BadInput(
            set.title() + ": another file is named " + name + ": convert this set by itself");
      }
    }
    var index = new StringBuilder("apiVersion: kustomize.config.k8s.io/v1beta1\n");
    index.append("kind: Kustomization\nresources:\n");
    files.keySet().forEach(name -> index.append("- ").append(name).append('\n'));
    files.put(INDEX, index.toString());
    return files;
  }
}
