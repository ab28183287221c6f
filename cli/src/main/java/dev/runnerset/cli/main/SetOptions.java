package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which sets are meant. */
final class SetOptions {
  @Mixin final ClusterOptions cluster = new ClusterOptions();

  @Parameters(arity = "0..1", paramLabel = "SET", description = "one set (all of the namespace)")
  Optional<String> set = Optional.empty();

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "the sets of all namespaces")
  boolean allNamespaces;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "LABELS",
      description = "the sets with these labels, as team=build")
  String labels = "";

  /** Where to look. */
  Selection selection(Cluster cluster) {
    return new Selection(allNamespaces ? "" : cluster.namespace(), labels);
  }
}
