package dev.runnerset.controller.flags;

import dev.runnerset.controller.config.ControllerSettings;
import picocli.CommandLine.Option;

/** The names of a deployment that the controller and its manifests must agree on. */
public final class DeploymentNames {
  private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  @Option(
      names = "--controller-namespace",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.CONTROLLER_NAMESPACE,
      description = "where the controller runs and its lease stands (default: ${DEFAULT-VALUE})")
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

  /** As given. */
  public String controllerNamespace() {
    return checked("--controller-namespace", controllerNamespace);
  }

  /** As given. */
  public String listenerNamespace() {
    return checked("--listener-namespace", listenerNamespace);
  }

  /** As given. */
  public String listenerServiceAccount() {
    return checked("--listener-service-account", listenerServiceAccount);
  }

  /** The value of a flag that names an object of Kubernetes; refused if none can be called so. */
  public static String checked(String flag, String value) {
    if (!value.matches(NAME)) {
      throw new IllegalArgumentException(
          flag + ": '" + value + "' is no name of a Kubernetes object");
    }
    return value;
  }
}
