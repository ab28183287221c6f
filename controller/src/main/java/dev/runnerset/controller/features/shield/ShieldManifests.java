package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Resources;
import dev.runnerset.controller.config.Places;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The admission policy of the shield and its binding, as this version makes them (SH3). The text
 * was rendered from {@code charts/runnerset}, for a controller of some namespaces, with words that
 * stand for the names; nobody edits it.
 */
public final class ShieldManifests {
  private static final Pattern START = Pattern.compile("(?m)^---\n");
  private static final String NAME = "runnerset-shield";
  private static final String NAMESPACES = "  matchResources:\n";

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
    return START
        .splitAsStream(Resources.text(ShieldManifests.class, "/admission-policy.yaml"))
        .filter(document -> !document.isBlank())
        .map(document -> places.watched().isEmpty() ? forAllNamespaces(document) : document)
        .map(document ->
            document
                .replace(
                    "name-of-watched-namespace", String.join(",", new TreeSet<>(places.watched())))
                .replace("name-of-controller-namespace", places.controllerNamespace())
                .replace("name-of-controller-account", account))
        .toList();
  }

  private static String forAllNamespaces(String document) {
    var named = document.replace(NAME + "-name-of-controller-namespace", NAME);
    int end = named.indexOf(NAMESPACES);
    return end < 0 ? named : named.substring(0, end);
  }
}
