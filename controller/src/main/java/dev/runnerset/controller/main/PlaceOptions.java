package dev.runnerset.controller.main;

import dev.runnerset.controller.flags.DeploymentNames;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which namespaces, and what the listener is called. */
final class PlaceOptions {
  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      split = ",",
      description = "watch runner sets of this namespace only; may be repeated (default: all)")
  private List<String> namespaces = List.of();

  @Mixin private DeploymentNames names = new DeploymentNames();

  Set<String> namespaces() {
    namespaces.forEach(name -> DeploymentNames.checked("--namespace", name));
    return Set.copyOf(namespaces);
  }

  String controllerNamespace() {
    return names.controllerNamespace();
  }

  String listenerNamespace() {
    return names.listenerNamespace();
  }

  String listenerServiceAccount() {
    return names.listenerServiceAccount();
  }
}
