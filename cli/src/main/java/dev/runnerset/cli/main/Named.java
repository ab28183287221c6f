package dev.runnerset.cli.main;

import dev.runnerset.base.NearestWord;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/** Finds the object that a command line names. */
final class Named {
  private Named() {}

  /**
   * The object of that name in the default namespace.
   *
   * @param what the kind in a sentence, as {@code set}
   * @throws CommandException if no object has that name; its message has the nearest name
   */
  static <T extends HasMetadata> T one(Cluster cluster, Class<T> kind, String what, String name) {
    var selection = Selection.of(cluster.namespace());
    return cluster
        .get(kind, cluster.namespace(), name)
        .orElseThrow(() ->
            notFound(what, name, names(cluster.list(kind, selection).items()), where(selection)));
  }

  /** The error for a name that no object has; its message has the nearest name. */
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

  /** Each name once, in the order of the objects. */
  static List<String> names(List<? extends HasMetadata> objects) {
    return objects.stream().map(each -> each.getMetadata().getName()).distinct().toList();
  }

  /** The place of a search, for a sentence. */
  static String where(Selection selection) {
    return selection.namespace().isEmpty()
        ? "in the cluster"
        : "in the namespace " + selection.namespace();
  }
}
