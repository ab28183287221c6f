package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The namespaces and the labels of the sets that a command reads. */
class SelectionOptions {
  @Mixin final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "the sets of all namespaces")
  boolean allNamespaces;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "LABELS",
      description = "the sets with these labels, as team=build")
  String labels = "";

  /** What to read from that cluster. */
  final Selection selection(Cluster in) {
    return new Selection(allNamespaces ? "" : in.namespace(), labels);
  }
}
