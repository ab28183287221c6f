package dev.runnerset.cli.main;

import dev.runnerset.base.NearestWord;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Gap;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;

/** Finds the sets that a command line names. */
final class Sets {
  private Sets() {}

  /**
   * The sets that are meant; one or more if one is named.
   *
   * @throws CommandException if there is no set of that name, with the nearest names
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
      throw notFound("set", name, names(all.items()), where(options.selection(cluster)));
    }
    return found;
  }

  /**
   * The one set of that name in the namespace that is meant.
   *
   * @throws CommandException if there is none
   */
  static AutoScalingRunnerSet one(Cluster cluster, String name) {
    var selection = Selection.of(cluster.namespace());
    return cluster
        .get(AutoScalingRunnerSet.class, cluster.namespace(), name)
        .orElseThrow(() -> {
          var others = cluster.list(AutoScalingRunnerSet.class, selection).items();
          return notFound("set", name, names(others), where(selection));
        });
  }

  /** What is missing, as the end of a command. */
  static void refuse(Gap gap) {
    throw new CommandException(ExitCode.WRONG, gap.sentence());
  }

  /** There is no such thing; the nearest name is named. */
  static CommandException notFound(String what, String name, List<String> known, String where) {
    var nearest =
        NearestWord.to(name, known)
            .map(word -> ": did you mean " + word + "?")
            .orElse(known.isEmpty() ? ": there is none at all" : ": there are " + some(known));
    return new CommandException(
        ExitCode.NOT_FOUND, "There is no " + what + " '" + name + "' " + where + nearest);
  }

  private static String some(List<String> known) {
    var first = known.stream().sorted().limit(5).toList();
    return String.join(", ", first) + (known.size() > first.size() ? ", …" : "");
  }

  private static List<String> names(List<AutoScalingRunnerSet> sets) {
    return sets.stream().map(set -> set.getMetadata().getName()).distinct().toList();
  }

  static String where(Selection selection) {
    return selection.namespace().isEmpty()
        ? "in the cluster"
        : "in the namespace " + selection.namespace();
  }
}
