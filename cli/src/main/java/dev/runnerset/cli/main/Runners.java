package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.crds.EphemeralRunner;

/** Finds the runners that a command line names. */
final class Runners {
  private Runners() {}

  /**
   * The runner of that name in the namespace that is meant.
   *
   * @throws CommandException if there is none, with the nearest names
   */
  static EphemeralRunner one(Cluster cluster, String name) {
    var selection = Selection.of(cluster.namespace());
    return cluster
        .get(EphemeralRunner.class, cluster.namespace(), name)
        .orElseThrow(() -> {
          var others = cluster.list(EphemeralRunner.class, selection).items();
          var names = others.stream().map(each -> each.getMetadata().getName()).toList();
          return Sets.notFound("runner", name, names, Sets.where(selection));
        });
  }
}
