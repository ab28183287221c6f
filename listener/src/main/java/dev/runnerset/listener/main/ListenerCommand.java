package dev.runnerset.listener.main;

import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.base.CommandLines;
import dev.runnerset.base.ProductVersion;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.kube.UnreachableClusterException;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.config.UsageRepositories;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line of the listener. */
@Command(
    name = "runnerset listener",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    sortOptions = false,
    description =
        "Holds the message session of each AutoScalingListener of its namespace, and reports how"
            + " many jobs each runner set has and which runner runs which job.",
    footer = {
      "",
      "Durations are written as 500ms, 10s, 5m, 1h30m.",
      "",
      "Environment:",
      "  KUBECONFIG            kubeconfig files, unless --kubeconfig is given; without either the",
      "                        service account of the pod, then ~/.kube/config",
      "  POD_NAMESPACE         the namespace, unless --namespace is given",
      "  POD_NAME, HOSTNAME    the first part of the identity, unless --identity is given",
      "  RUNNERSET_LOG_LEVEL   INFO (default), DEBUG, WARN or ERROR",
      "  RUNNERSET_LOG_FORMAT  text (default) or json",
      "",
      "Exit codes: 0 ended by a signal, 1 failed, 2 a bad flag or value."
    })
public final class ListenerCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "namespace of the AutoScalingListeners and of the lease; default: that of the pod, else "
              + ListenerSettings.NAMESPACE)
  @Nullable String namespace;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "kubeconfig file; default: see Environment")
  @Nullable Path kubeconfig;

  @Option(
      names = "--identity",
      paramLabel = "NAME",
      description =
          "name of this process as the holder of lease and sessions; must differ in every process;"
              + " default: the host name and a random part")
  @Nullable String identity;

  @Option(
      names = "--allowed-hosts",
      paramLabel = "HOST",
      split = ",",
      description =
          "hosts of GitHub Enterprise Server, and proxies of sets, that may have private addresses"
              + " or speak plain http: HOST, HOST:PORT or *.DOMAIN; may be repeated; see"
              + " docs/start/install.md; default: none")
  List<String> allowedHosts = List.of();

  @Option(
      names = "--usage-repositories",
      paramLabel = "REPOSITORY",
      split = ",",
      description =
          "count jobs by repository and workflow for these repositories: OWNER/NAME, OWNER/* or *;"
              + " may be repeated; at most 500 series a set; default: none")
  List<String> usageRepositories = List.of();

  @Option(
      names = "--lease-name",
      paramLabel = "NAME",
      defaultValue = ListenerSettings.LEASE_NAME,
      description = "name of the lease that the processes compete for; default: ${DEFAULT-VALUE}")
  String leaseName = ListenerSettings.LEASE_NAME;

  @Option(
      names = "--lease-duration",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "after how long without renewal another process may take the lease; default:"
              + " ${DEFAULT-VALUE}")
  Duration lease = Duration.ofSeconds(10);

  @Option(
      names = "--renew-deadline",
      paramLabel = "DURATION",
      defaultValue = "7s",
      description =
          "how long the holder tries to renew the lease; less than --lease-duration; default:"
              + " ${DEFAULT-VALUE}")
  Duration renewDeadline = Duration.ofSeconds(7);

  @Option(
      names = "--retry-period",
      paramLabel = "DURATION",
      defaultValue = "2s",
      description =
          "how often the holder renews the lease; less than --renew-deadline; default:"
              + " ${DEFAULT-VALUE}")
  Duration retry = Duration.ofSeconds(2);

  @Option(
      names = "--poll-timeout",
      paramLabel = "DURATION",
      defaultValue = "55s",
      description =
          "how long the service may hold a poll open; a poll is given up 15 s after this time;"
              + " default: ${DEFAULT-VALUE}")
  Duration poll = Duration.ofSeconds(55);

  @Option(
      names = "--credentials-age",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "how often the secrets with credentials are read again; default: ${DEFAULT-VALUE}")
  Duration credentialsAge = Duration.ofMinutes(5);

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      defaultValue = "12s",
      description =
          "how long the listener may take at its end to finish messages and close sessions;"
              + " default: ${DEFAULT-VALUE}")
  Duration grace = Duration.ofSeconds(12);

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      defaultValue = "8081",
      description =
          "serve /healthz, /readyz and /metrics at this port; 0 for none; default: ${DEFAULT-VALUE}")
  int healthPort = 8081;

  /** The command line of this object's flags. */
  public CommandLine line() {
    return CommandLines.of(this).registerConverter(Duration.class, ListenerCommand::duration);
  }

  /** A duration as Kubernetes writes it. */
  private static Duration duration(String text) {
    return GoDuration.parse(text)
        .orElseThrow(() ->
            new TypeConversionException("'" + text + "' is not a duration; examples: 10s, 5m"));
  }

  /** Listens until a signal ends the process; 2 for a bad flag or value. */
  @Override
  public Integer call() throws InterruptedException {
    try {
      ListenerMain.run(settings(System.getenv()), this);
      return CommandLine.ExitCode.OK;
    } catch (IllegalArgumentException | UnreachableClusterException e) {
      return refuse(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return refuse(
          "cannot serve port %d (%s): name another with --health-port, or 0 for none"
              .formatted(healthPort, e.getMessage()));
    }
  }

  private int refuse(String why) {
    var line = Objects.requireNonNull(spec).commandLine();
    line.getErr().println(line.getCommandName() + ": " + why);
    return CommandLine.ExitCode.USAGE;
  }

  /**
   * The settings.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  ListenerSettings settings(Map<String, String> environment) {
    var _ = allowedHosts();
    if (healthPort < 0 || healthPort > 65535) {
      throw new IllegalArgumentException("--health-port must be from 0 to 65535");
    }
    var pod = environment.getOrDefault("POD_NAMESPACE", ListenerSettings.NAMESPACE);
    var host =
        environment.getOrDefault(
            "POD_NAME", environment.getOrDefault("HOSTNAME", "runnerset-listener"));
    return new ListenerSettings(
        namespace == null ? pod : namespace,
        identity == null ? host + "-" + UUID.randomUUID().toString().substring(0, 8) : identity,
        new ListenerSettings.Lease(leaseName, lease, renewDeadline, retry),
        poll,
        credentialsAge,
        grace,
        UsageRepositories.read("--usage-repositories", usageRepositories));
  }

  /**
   * The hosts that the installation lists.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  AllowedHosts allowedHosts() {
    return AllowedHosts.read("--allowed-hosts", allowedHosts);
  }

  Optional<Path> kubeconfig() {
    return Optional.ofNullable(kubeconfig);
  }
}
