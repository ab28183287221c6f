package dev.runnerset.controller.main;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.LeaseTimes;
import dev.runnerset.crd.GoDuration;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.UnreachableClusterException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.OperatorException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code ./runnerset controller}: exit 0 after a signal, 1 when it cannot work, 2 for bad flags.
 */
@Command(
    name = "runnerset controller",
    mixinStandardHelpOptions = true,
    description = "Keeps runner sets: as many runners as there are jobs.",
    sortOptions = false,
    footer = {
      "",
      "The cluster is that of --kubeconfig, else of KUBECONFIG, else that of the pod, else of"
          + " ~/.kube/config."
    })
public final class ControllerMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerMain.class);
  private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  @Option(names = "--kubeconfig", paramLabel = "FILE", description = "the cluster to work in")
  private @Nullable Path kubeconfig;

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

  @Option(
      names = "--identity",
      paramLabel = "NAME",
      description = "of this process among its replicas (default: HOSTNAME and a random part)")
  private @Nullable String identity;

  @Option(
      names = "--lease-duration",
      paramLabel = "TIME",
      defaultValue = "15s",
      converter = DurationText.class,
      description = "a controller that is gone is followed after this (default: ${DEFAULT-VALUE})")
  private Duration leaseDuration = LeaseTimes.DEFAULT.lasts();

  @Option(
      names = "--renew-deadline",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationText.class,
      description = "one that cannot renew its lease so long stops (default: ${DEFAULT-VALUE})")
  private Duration renewDeadline = LeaseTimes.DEFAULT.renewWithin();

  @Option(
      names = "--retry-period",
      paramLabel = "TIME",
      defaultValue = "2s",
      converter = DurationText.class,
      description = "between two tries for the lease (default: ${DEFAULT-VALUE})")
  private Duration retryPeriod = LeaseTimes.DEFAULT.retryEvery();

  @Option(
      names = "--runner-concurrency",
      paramLabel = "N",
      defaultValue = "" + ControllerSettings.CONCURRENCY,
      description = "reconciles at once, 1 to 512 (default: ${DEFAULT-VALUE})")
  private int concurrency = ControllerSettings.CONCURRENCY;

  @Option(
      names = "--protection-window",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationText.class,
      description =
          "a runner that just became idle is spared so long while jobs are on their way (default:"
              + " ${DEFAULT-VALUE})")
  private Duration protectionWindow = ControllerSettings.PROTECTION_WINDOW;

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "serve /healthz, /readyz and /metrics there; 0 for not (default: ${DEFAULT-VALUE})")
  private int healthPort;

  @Mixin private EmbeddedStatusOption embeddedStatus = new EmbeddedStatusOption();

  /** Durations as in the resources: {@code 15s}, {@code 1m30s}. */
  static final class DurationText implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return GoDuration.parse(text)
          .orElseThrow(
              () -> new TypeConversionException("'" + text + "' is no duration: write 15s or 2m"));
    }
  }

  /** Runs until it is told to stop. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return new CommandLine(new ControllerMain())
        .setParameterExceptionHandler((failure, given) -> {
          failure
              .getCommandLine()
              .getErr()
              .println(
                  "runnerset controller: "
                      + String.valueOf(failure.getMessage()).lines().findFirst().orElse("bad flags")
                      + " (see --help)");
          return CommandLine.ExitCode.USAGE;
        })
        .execute(args);
  }

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec command;

  @Override
  public Integer call() {
    var settings = settings();
    embeddedStatus.warn();
    if (healthPort < 0 || healthPort > 65535) {
      throw bad("--health-port must be from 0 to 65535");
    }
    try (var client =
        KubeConnection.connect(Optional.ofNullable(kubeconfig), "runnerset-controller")) {
      return work(settings, client);
    } catch (UnreachableClusterException e) {
      return sayNo(e.getMessage());
    } catch (OperatorException | KubernetesClientException e) {
      return sayNo("it cannot start: " + innermost(e));
    } catch (IOException e) {
      return sayNo("it cannot serve port " + healthPort + ": " + e.getMessage());
    }
  }

  private int work(
      ControllerSettings settings, io.fabric8.kubernetes.client.KubernetesClient client)
      throws IOException {
    var end = new CompletableFuture<Integer>();
    var clock = Clock.systemUTC();
    var connector = new HttpServiceConnector(version(), clock);
    var program =
        ControllerProgram.start(
            settings,
            client,
            connector,
            clock,
            new SecureRandom(),
            why -> {
              LOG.atError().addKeyValue("reason", why).log("stopping: another may work on");
              end.complete(1);
            });
    var hook = new Thread(program::close, "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    LOG.atInfo()
        .addKeyValue("version", version())
        .addKeyValue("identity", settings.identity())
        .log("the controller is ready");
    try {
      return awaited(end, program);
    } finally {
      program.close();
    }
  }

  private int awaited(CompletableFuture<Integer> end, ControllerProgram program)
      throws IOException {
    if (healthPort == 0) {
      return end.join();
    }
    var health = Health.start(healthPort, program::isHealthy, program::metrics);
    try {
      return end.join();
    } finally {
      health.close();
    }
  }

  private ControllerSettings settings() {
    for (var name : namespaces) {
      name("--namespace", name);
    }
    name("--controller-namespace", controllerNamespace);
    name("--listener-namespace", listenerNamespace);
    name("--listener-service-account", listenerServiceAccount);
    try {
      return new ControllerSettings(
          Set.copyOf(namespaces),
          controllerNamespace,
          listenerNamespace,
          listenerServiceAccount,
          identity == null ? ownName() : identity,
          new LeaseTimes(leaseDuration, renewDeadline, retryPeriod),
          concurrency,
          protectionWindow,
          embeddedStatus.embedded());
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
  }

  private void name(String option, String value) {
    if (!value.matches(NAME)) {
      throw bad(option + ": '" + value + "' is no name of a Kubernetes object");
    }
  }

  private CommandLine.ParameterException bad(String message) {
    return new CommandLine.ParameterException(
        command == null ? new CommandLine(this) : command.commandLine(), message);
  }

  private static String ownName() {
    var random = new byte[4];
    new SecureRandom().nextBytes(random);
    var host = System.getenv("HOSTNAME");
    return (host == null || host.isBlank() ? "controller" : host)
        + "-"
        + HexFormat.of().formatHex(random);
  }

  private static String version() {
    var version = ControllerMain.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  private static int sayNo(@Nullable String sentence) {
    System.err.println("runnerset controller: " + sentence);
    return 1;
  }

  private static String innermost(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
