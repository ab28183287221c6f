package dev.runnerset.controller.main;

import dev.runnerset.base.CommandLines;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.UnreachableClusterException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.OperatorException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
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
    description = "Keeps runner sets: as many runners as there are jobs.",
    sortOptions = false,
    footer = {
      "",
      "The cluster is that of --kubeconfig, else of KUBECONFIG, else that of the pod, else of"
          + " ~/.kube/config."
    })
public final class ControllerMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerMain.class);

  @Option(names = "--kubeconfig", paramLabel = "FILE", description = "the cluster to work in")
  private @Nullable Path kubeconfig;

  @Mixin private PlaceOptions places = new PlaceOptions();

  @Mixin private LeaseOptions lease = new LeaseOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "serve /healthz, /readyz, /metrics and /configz there; 0 for not (default:"
              + " ${DEFAULT-VALUE})")
  private int healthPort;

  @Mixin private AgeCollectionOptions ages = new AgeCollectionOptions();

  @Mixin private EmbeddedStatusOption embeddedStatus = new EmbeddedStatusOption();

  /** Runs until it is told to stop. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return CommandLines.of(new ControllerMain()).execute(args);
  }

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec command;

  @Override
  public Integer call() {
    var settings = settings();
    embeddedStatus.warn();
    if (healthPort < 0 || healthPort > 65535) {
      throw bad("--health-port must be from 0 to 65535");
    }
    tell(settings); // a start that hangs or fails has told them, too
    try (var client =
        KubeConnection.connect(Optional.ofNullable(kubeconfig), "runnerset-controller")) {
      return work(settings, client);
    } catch (UnreachableClusterException e) {
      return refuse(e.getMessage());
    } catch (OperatorException | KubernetesClientException e) {
      return refuse("it cannot start: " + innermost(e));
    } catch (IOException e) {
      return refuse("it cannot serve port " + healthPort + ": " + e.getMessage());
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
            maySend -> new HttpServiceConnector(version(), settings.concurrency(), maySend, clock),
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
      return awaited(settings, end, program);
    } finally {
      program.close();
    }
  }

  private static void tell(ControllerSettings settings) {
    var line = LOG.atInfo();
    for (var setting : EffectiveSettings.of(settings).entrySet()) {
      line = line.addKeyValue(setting.getKey(), setting.getValue());
    }
    line.log("the settings are these");
  }

  private int awaited(
      ControllerSettings settings, CompletableFuture<Integer> end, ControllerProgram program)
      throws IOException {
    if (healthPort == 0) {
      return end.join();
    }
    var health =
        Health.start(
            healthPort,
            program::isHealthy,
            program::metrics,
            () -> EffectiveSettings.json(settings));
    try {
      return end.join();
    } finally {
      health.close();
    }
  }

  private ControllerSettings settings() {
    try {
      return new ControllerSettings(
          places.namespaces(),
          places.controllerNamespace(),
          places.listenerNamespace(),
          places.listenerServiceAccount(),
          lease.identity(),
          lease.times(),
          work.concurrency(),
          work.protectionWindow(),
          ages.gates(),
          ages.ages(),
          embeddedStatus.embedded());
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
  }

  private CommandLine.ParameterException bad(String message) {
    return new CommandLine.ParameterException(
        command == null ? new CommandLine(this) : command.commandLine(), message);
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
