package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Resources;
import dev.runnerset.controller.config.Places;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The admission policy of the shield and its binding, as this version makes them (SH3). The text
 * was rendered from {@code charts/runnerset}, with words in place of the names: the policy and its
 * binding for a controller of some namespaces, then the binding for one of all. Nobody edits it.
 */
public final class ShieldManifests {
  private static final Pattern START = Pattern.compile("(?m)^---\n");
  private static final String NAME = "runnerset-shield";

  private ShieldManifests() {}

  /** Its name: several installations, each for namespaces of its own, may be in one cluster. */
  static String name(Places places) {
    return places.watched().isEmpty() ? NAME : NAME + "-" + places.controllerNamespace();
  }

  /**
   * The policy, then its binding, one YAML text each.
   *
   * @param account the service account of the controller
   */
  public static List<String> yaml(Places places, String account) {
    var documents =
        START
            .splitAsStream(Resources.text(ShieldManifests.class, "/admission-policy.yaml"))
            .filter(document -> !document.isBlank())
            .map(document ->
                document
                    .replace(NAME + "-name-of-controller-namespace", name(places))
                    .replace(
                        "name-of-watched-namespace",
                        String.join(",", new TreeSet<>(places.watched())))
                    .replace("name-of-controller-namespace", places.controllerNamespace())
                    .replace("name-of-controller-account", account))
            .toList();
    return List.of(documents.getFirst(), documents.get(places.watched().isEmpty() ? 2 : 1));
  }
}
