package dev.runnerset.controller.manifests;

import dev.runnerset.base.CommandLines;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.flags.DeploymentNames;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
  @Mixin private DeploymentNames names = new DeploymentNames();

  @Option(
      names = "--controller-service-account",
      paramLabel = "NAME",
      defaultValue = ControllerSettings.CONTROLLER_SERVICE_ACCOUNT,
      description = "the controller's identity there (default: ${DEFAULT-VALUE})")
  private String controllerServiceAccount = ControllerSettings.CONTROLLER_SERVICE_ACCOUNT;

  @Spec private @Nullable CommandSpec command;

  /** Prints them. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return CommandLines.of(new ManifestsMain()).execute(args);
  }

  @Override
  public Integer call() {
    System.out.print(Manifests.yaml(names()));
    return CommandLine.ExitCode.OK;
  }

  private Manifests.Names names() {
    try {
      return new Manifests.Names(
          names.controllerNamespace(),
          DeploymentNames.checked("--controller-service-account", controllerServiceAccount),
          names.listenerNamespace(),
          names.listenerServiceAccount());
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          command == null ? new CommandLine(this) : command.commandLine(),
          String.valueOf(e.getMessage()));
    }
  }
}
