package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Gap;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;

/** Reads the sets that a command line names. */
final class Sets {
  private Sets() {}

  /**
   * The sets that the command line selects; one or more if it names one.
   *
   * @throws CommandException if no set has that name; its message has the nearest name
   */
  static Listing<AutoScalingRunnerSet> of(Cluster cluster, SetOptions options) {
    var all = cluster.list(AutoScalingRunnerSet.class, options.selection(cluster));
    if (options.set.isEmpty()) {
      return all;
    }
    var name = options.set.get();
    all.gap().ifPresent(Sets::refuse);
    var found = all.filter(set -> set.getMetadata().getName().equals(name));
    if (found.items().isEmpty()) {
      var where = Named.where(options.selection(cluster));
      throw Named.notFound("set", name, Named.names(all.items()), where);
    }
    return found;
  }

  /**
   * The sets that the command line selects, for a command that can do nothing without them.
   *
   * @throws CommandException as {@link #of}, and if the sets may not be read
   */
  static List<AutoScalingRunnerSet> read(Cluster cluster, SetOptions options) {
    var found = of(cluster, options);
    found.gap().ifPresent(Sets::refuse);
    return found.items();
  }

  /**
   * Reads the sets only if the command line names one.
   *
   * @throws CommandException as {@link #of}
   */
  static void check(Cluster cluster, SetOptions options) {
    if (options.set.isPresent()) {
      var _ = of(cluster, options);
    }
  }

  /** Ends the command with the right that is missing. */
  static void refuse(Gap gap) {
    throw new CommandException(ExitCode.WRONG, gap.sentence());
  }
}
