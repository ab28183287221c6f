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
   * The sets that are meant; one or more if one is named.
   *
   * @throws CommandException if there is no set of that name; it names the nearest one
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
   * The same for a command that can do nothing without them.
   *
   * @throws CommandException also if they may not be read
   */
  static List<AutoScalingRunnerSet> read(Cluster cluster, SetOptions options) {
    var found = of(cluster, options);
    found.gap().ifPresent(Sets::refuse);
    return found.items();
  }

  /** Ends the command with the right that is missing. */
  static void refuse(Gap gap) {
    throw new CommandException(ExitCode.WRONG, gap.sentence());
  }
}
