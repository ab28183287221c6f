package dev.runnerset.controller.manifests;

import dev.runnerset.base.CommandLines;
import dev.runnerset.controller.config.ControllerSettings;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./runnerset manifests}: prints YAML; exit 2 for bad flags. */
@Command(
    name = "runnerset manifests",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints what the chart makes of its default values, without the CRDs, for kubectl apply"
            + " -f -")
public final class ManifestsMain implements Callable<Integer> {
  @Mixin private DeploymentNames names = new DeploymentNames();

  @Option(
      names = "--controller-service-account",
      paramLabel = "NAME",
      description =
          "service account of the controller in its namespace (default: ${DEFAULT-VALUE})")
  private String controllerServiceAccount = ControllerSettings.CONTROLLER_SERVICE_ACCOUNT;

  @Option(
      names = "--image-registry",
      paramLabel = "HOST/PATH",
      description = "your registry, put in front of both images; the project publishes none")
  private String imageRegistry = "";

  @Option(
      names = "--identities",
      description =
          "only namespaces, service accounts and roles: for programs that do not run in pods")
  private boolean identities;

  @ArgGroup private Where where = new Where();

  /** At most one of them. */
  static final class Where {
    @Option(
        names = "--set-namespace",
        paramLabel = "NAME",
        split = ",",
        description =
            "print only what binds the role of the controller in a namespace where runner sets live,"
                + " for its secrets, pods and roles there; may be repeated")
    private List<String> setNamespaces = List.of();

    @Option(
        names = "--all-namespaces",
        description =
            "grant the controller in every namespace what it otherwise needs --set-namespace for:"
                + " it can then read any secret of the cluster by its name")
    private boolean allNamespaces;

    @Option(
        names = "--namespace",
        paramLabel = "NAME",
        split = ",",
        description =
            "roles in this namespace and no cluster role, for a controller with the same"
                + " --namespace; may be repeated")
    private List<String> namespaces = List.of();
  }

  /** Prints the YAML. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return CommandLines.withoutStackTraces(new ManifestsMain()).execute(args);
  }

  @Override
  public Integer call() {
    System.out.print(yaml());
    return CommandLine.ExitCode.OK;
  }

  private String yaml() {
    where.setNamespaces.forEach(name -> DeploymentNames.checked("--set-namespace", name));
    where.namespaces.forEach(name -> DeploymentNames.checked("--namespace", name));
    if (!where.setNamespaces.isEmpty()) {
      return Manifests.ofSetNamespaces(names(), where.setNamespaces);
    }
    return identities ? Manifests.identities(names(), reach()) : Manifests.yaml(names(), reach());
  }

  private Manifests.Reach reach() {
    if (where.allNamespaces) {
      return new Manifests.Reach.AllNamespaces();
    }
    return where.namespaces.isEmpty()
        ? new Manifests.Reach.PerSetNamespace()
        : new Manifests.Reach.Only(Set.copyOf(where.namespaces));
  }

  private Manifests.Names names() {
    return new Manifests.Names(
        names.controllerNamespace(),
        DeploymentNames.checked("--controller-service-account", controllerServiceAccount),
        names.listenerNamespace(),
        names.listenerServiceAccount(),
        checkedRegistry());
  }

  private String checkedRegistry() {
    if (!imageRegistry.matches("([A-Za-z0-9][A-Za-z0-9._-]*(:[0-9]+)?(/[a-z0-9._-]+)*)?")) {
      throw new IllegalArgumentException(
          "--image-registry: '" + imageRegistry + "' is not of the form HOST or HOST/PATH");
    }
    return imageRegistry;
  }
}
