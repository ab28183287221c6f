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

  /** Copies the namespaces. */
  public Places {
    watched = Set.copyOf(watched);
  }
}
