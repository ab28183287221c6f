package dev.runnerset.controller.manifests;

import dev.runnerset.controller.config.ControllerSettings;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./runnerset manifests}: prints YAML; exit 2 for bad flags. */
@Command(
    name = "runnerset manifests",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints the namespaces, identities and roles that a deployment needs, for kubectl apply"
            + " -f -")
public final class ManifestsMain implements Callable<Integer> {
  private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  @Option(
      names = "--controller-namespace",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.CONTROLLER_NAMESPACE,
      description = "where the controller runs (default: ${DEFAULT-VALUE})")
  private String controllerNamespace = ControllerSettings.CONTROLLER_NAMESPACE;

  @Option(
      names = "--controller-service-account",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.CONTROLLER_SERVICE_ACCOUNT,
      description = "its identity (default: ${DEFAULT-VALUE})")
  private String controllerServiceAccount = ControllerSettings.CONTROLLER_SERVICE_ACCOUNT;

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
      description = "its identity (default: ${DEFAULT-VALUE})")
  private String listenerServiceAccount = ControllerSettings.LISTENER_SERVICE_ACCOUNT;

  @Spec private @Nullable CommandSpec command;

  /** Prints them. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return new CommandLine(new ManifestsMain())
        .setParameterExceptionHandler((failure, given) -> {
          failure
              .getCommandLine()
              .getErr()
              .println(
                  "runnerset manifests: "
                      + String.valueOf(failure.getMessage()).lines().findFirst().orElse("")
                      + " (see --help)");
          return CommandLine.ExitCode.USAGE;
        })
        .execute(args);
  }

  @Override
  public Integer call() {
    var names =
        new Manifests.Names(
            name("--controller-namespace", controllerNamespace),
            name("--controller-service-account", controllerServiceAccount),
            name("--listener-namespace", listenerNamespace),
            name("--listener-service-account", listenerServiceAccount));
    System.out.print(Manifests.yaml(names));
    return CommandLine.ExitCode.OK;
  }

  private String name(String option, String value) {
    if (!value.matches(NAME)) {
      throw new CommandLine.ParameterException(
          command == null ? new CommandLine(this) : command.commandLine(),
          option + ": '" + value + "' is no name of a Kubernetes object");
    }
    return value;
  }
}
