package dev.runnerset.controller.main;

import dev.runnerset.base.CommandLines;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.UnreachableClusterException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.OperatorException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./runnerset controller}: exit 0 after a signal, 1 when it cannot work, 2 for bad flags.
 */
@Command(
    name = "runnerset controller",
    mixinStandardHelpOptions = true,
    description = "Reconciles runner sets: as many runners as there are jobs.",
    sortOptions = false,
    defaultValueProvider = ControllerFlags.Defaults.class,
    footer = {
      "",
      "The cluster is the one of --kubeconfig, else of KUBECONFIG, else of the pod, else of"
          + " ~/.kube/config."
    })
public final class ControllerMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerMain.class);

  @Option(names = "--kubeconfig", paramLabel = "FILE", description = "file that names the cluster")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      description =
          "serve /healthz, /readyz, /metrics and /configz at this port; 0 for none (default:"
              + " ${DEFAULT-VALUE})")
  private int healthPort;

  @Mixin private ControllerFlags flags = new ControllerFlags();

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec command;

  /** Runs until a signal ends the process. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return CommandLines.of(new ControllerMain()).execute(args);
  }

  @Override
  public Integer call() {
    var settings = settings();
    if (healthPort < 0 || healthPort > 65535) {
      throw wrong("--health-port must be from 0 to 65535");
    }
    warnOfFullForm(settings.embeddedStatus());
    logSettings(); // before the connection, which may hang or fail
    try (var client =
        KubeConnection.connect(Optional.ofNullable(kubeconfig), "runnerset-controller")) {
      return work(settings, client);
    } catch (UnreachableClusterException e) {
      return refuse(e.getMessage());
    } catch (OperatorException | KubernetesClientException e) {
      return refuse("the controller cannot start: " + innermost(e));
    } catch (IOException e) {
      return refuse("the controller cannot serve port " + healthPort + ": " + e.getMessage());
    }
  }

  private int work(
      ControllerSettings settings, io.fabric8.kubernetes.client.KubernetesClient client)
      throws IOException {
    var end = new CompletableFuture<Integer>();
    var clock = Clock.systemUTC();
    var program =
        ControllerProgram.start(
            settings,
            client,
            maySend ->
                ControllerProgram.connector(version(), settings.concurrency(), maySend, clock),
            clock,
            new SecureRandom(),
            why -> {
              LOG.atError().addKeyValue("reason", why).log("stopping: another process may lead");
              end.complete(1);
            });
    var hook = new Thread(program::close, "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    LOG.atInfo()
        .addKeyValue("version", version())
        .addKeyValue("identity", settings.leadership().identity())
        .log("the controller is ready");
    try {
      return awaited(end, program);
    } finally {
      program.close();
    }
  }

  private void logSettings() {
    var line = LOG.atInfo();
    for (var setting : effectiveSettings().entrySet()) {
      line = line.addKeyValue(setting.getKey(), setting.getValue());
    }
    line.log("the settings are these");
  }

  private int awaited(CompletableFuture<Integer> end, ControllerProgram program)
      throws IOException {
    if (healthPort == 0) {
      return end.join();
    }
    var health =
        Health.start(
            healthPort,
            program::isHealthy,
            program::metrics,
            () -> EffectiveSettings.json(effectiveSettings()));
    try {
      return end.join();
    } finally {
      health.close();
    }
  }

  private ControllerSettings settings() {
    try {
      return flags.settings();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(
        Objects.requireNonNull(command, "picocli sets it").commandLine(), message);
  }

  private Map<String, Object> effectiveSettings() {
    var mixins = Objects.requireNonNull(command, "picocli sets it").mixins();
    return EffectiveSettings.of(Objects.requireNonNull(mixins.get("flags")));
  }

  private static void warnOfFullForm(EmbeddedStatus embedded) {
    if (embedded.hasFullForm()) {
      LOG.atWarn()
          .addKeyValue("embeddedStatus", embedded.word())
          .log(
              "status.runnerStatuses is deprecated and will be removed: let clients read"
                  + " status.childReferences, then use --embedded-status minimal");
    }
  }

  private static String version() {
    var version = ControllerMain.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  private static int refuse(@Nullable String sentence) {
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
