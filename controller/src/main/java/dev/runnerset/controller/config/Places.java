package dev.runnerset.controller.config;

import java.util.Set;

/**
 * Where the controller and the listener work.
 *
 * @param watched the namespaces whose runner sets are watched; empty for all
 * @param controllerNamespace the namespace of the controller and of its lease
 * @param listenerNamespace the namespace of the listener and of its listener objects
 * @param listenerServiceAccount the listener's service account in that namespace
 */
public record Places(
    Set<String> watched,
    String controllerNamespace,
    String listenerNamespace,
    String listenerServiceAccount) {
  /** Which installation this is, for all its processes: the namespace and name of their lease. */
  public String installation() {
    return controllerNamespace + "/" + ControllerSettings.LEASE;
  }

  private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  /** Copies the namespaces, and rejects impossible names with a sentence that names the flag. */
  public Places {
    watched = Set.copyOf(watched);
    watched.forEach(name -> check("--namespace", name));
    check("--controller-namespace", controllerNamespace);
    check("--listener-namespace", listenerNamespace);
    check("--listener-service-account", listenerServiceAccount);
  }

  private static void check(String flag, String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          flag + ": '" + name + "' cannot be the name of a Kubernetes object");
    }
  }
}
