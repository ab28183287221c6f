package dev.runnerset.controller.manifests;

import dev.runnerset.controller.config.ControllerSettings;
import picocli.CommandLine.Option;

/** The flags for the names on which the controller and its manifests must agree. */
public final class DeploymentNames {
  private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  @Option(
      names = "--controller-namespace",
      paramLabel = "NAME",
      description = "namespace of the controller and of its lease (default: ${DEFAULT-VALUE})")
  private String controllerNamespace = ControllerSettings.CONTROLLER_NAMESPACE;

  @Option(
      names = "--listener-namespace",
      paramLabel = "NAME",
      description =
          "namespace of the listener and of its listener objects (default: ${DEFAULT-VALUE})")
  private String listenerNamespace = ControllerSettings.LISTENER_NAMESPACE;

  @Option(
      names = "--listener-service-account",
      paramLabel = "NAME",
      description = "service account of the listener in that namespace (default: ${DEFAULT-VALUE})")
  private String listenerServiceAccount = ControllerSettings.LISTENER_SERVICE_ACCOUNT;

  /** The namespace of the controller. */
  public String controllerNamespace() {
    return checked("--controller-namespace", controllerNamespace);
  }

  /** The namespace of the listener. */
  public String listenerNamespace() {
    return checked("--listener-namespace", listenerNamespace);
  }

  /** The service account of the listener. */
  public String listenerServiceAccount() {
    return checked("--listener-service-account", listenerServiceAccount);
  }

  /**
   * The value of a flag that names an object of Kubernetes.
   *
   * @throws IllegalArgumentException with a sentence for the user, if no object may have that name
   */
  public static String checked(String flag, String value) {
    if (!value.matches(NAME)) {
      throw new IllegalArgumentException(
          flag + ": '" + value + "' cannot be the name of a Kubernetes object");
    }
    return value;
  }
}
