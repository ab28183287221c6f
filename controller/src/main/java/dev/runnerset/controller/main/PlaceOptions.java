package dev.runnerset.controller.main;

import dev.runnerset.controller.config.ControllerSettings;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which namespaces, and what the listener is called. */
final class PlaceOptions {
  private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      split = ",",
      description = "watch runner sets of this namespace only; may be repeated (default: all)")
  private List<String> namespaces = List.of();

  @Option(
      names = "--controller-namespace",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.CONTROLLER_NAMESPACE,
      description = "where the controller's lease stands (default: ${DEFAULT-VALUE})")
  private String controllerNamespace = ControllerSettings.CONTROLLER_NAMESPACE;

  @Option(
      names = "--listener-namespace",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.LISTENER_NAMESPACE,
      description = "where the listener runs (default: ${DEFAULT-VALUE})")
  private String listenerNamespace = ControllerSettings.LISTENER_NAMESPACE;

  @Option(
      names = "--listener-service-account",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.LISTENER_SERVICE_ACCOUNT,
      description = "the listener's identity there (default: ${DEFAULT-VALUE})")
  private String listenerServiceAccount = ControllerSettings.LISTENER_SERVICE_ACCOUNT;

  Set<String> namespaces() {
    namespaces.forEach(name -> named("--namespace", name));
    return Set.copyOf(namespaces);
  }

  String controllerNamespace() {
    return named("--controller-namespace", controllerNamespace);
  }

  String listenerNamespace() {
    return named("--listener-namespace", listenerNamespace);
  }

  String listenerServiceAccount() {
    return named("--listener-service-account", listenerServiceAccount);
  }

  private static String named(String option, String value) {
    if (!value.matches(NAME)) {
      throw new IllegalArgumentException(
          option + ": '" + value + "' is no name of a Kubernetes object");
    }
    return value;
  }
}
