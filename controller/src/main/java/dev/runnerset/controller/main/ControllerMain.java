package dev.runnerset.controller.main;

import dev.runnerset.base.Causes;
import dev.runnerset.base.CommandLines;
import dev.runnerset.base.Detail;
import dev.runnerset.base.HealthServer;
import dev.runnerset.base.ProductVersion;
import dev.runnerset.base.metrics.ProcessMeter;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.StartCheck;
import dev.runnerset.kube.UnreachableClusterException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.OperatorException;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
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
    versionProvider = ProductVersion.class,
    description = "Reconciles runner sets: as many runners as there are jobs.",
    sortOptions = false,
    defaultValueProvider = ControllerFlags.Defaults.class,
    footer = {
      "",
      "The cluster is the one of --kubeconfig, else of KUBECONFIG, else of the pod, else of"
          + " ~/.kube/config. RUNNERSET_LOG_LEVEL is INFO (default), DEBUG, WARN or ERROR;"
          + " RUNNERSET_LOG_FORMAT is text (default) or json."
    })
public final class ControllerMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerMain.class);

  /** How late the line may be that says that it is ready. */
  @Detail private static final Duration READY_CHECK = Duration.ofMillis(100);

  @Option(names = "--kubeconfig", paramLabel = "FILE", description = "file that names the cluster")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      description =
          "serve /healthz, /readyz, /metrics and /configz at this port; 0 for none (default:"
              + " ${DEFAULT-VALUE})")
  private int healthPort = 8080;

  @Mixin private ControllerFlags flags = new ControllerFlags();

  private final Clocks clocks;

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec command;

  /** The program by the clock of this machine. */
  public ControllerMain() {
    this(Clocks.of(Clock.systemUTC(), System::nanoTime));
  }

  private ControllerMain(Clocks clocks) {
    this.clocks = clocks;
  }

  /** Runs until a signal ends the process. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return CommandLines.of(new ControllerMain()).execute(args);
  }

  /** Runs until a signal ends the process; the exit code. */
  public static int run(Clocks clocks, String... args) {
    return CommandLines.of(new ControllerMain(clocks)).execute(args);
  }

  @Override
  public Integer call() throws InterruptedException {
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
      return refuse("the controller cannot start: " + Causes.innermost(e));
    } catch (IOException e) {
      return refuse(
          "cannot serve port "
              + healthPort
              + " ("
              + e.getMessage()
              + "): name another with --health-port, or 0 for none");
    }
  }

  private int work(ControllerSettings settings, KubernetesClient client)
      throws IOException, InterruptedException {
    check(settings, client);
    var end = new CompletableFuture<Integer>();
    var started = new AtomicReference<@Nullable ControllerProgram>();
    try (var health = health(started)) {
      var program = start(settings, client, end);
      started.set(program);
      try {
        if (isReadyBefore(end, program)) {
          LOG.atInfo()
              .addKeyValue("version", ProductVersion.text())
              .addKeyValue("identity", settings.leadership().identity())
              .addKeyValue("health-port", health == null ? 0 : health.port())
              .log("the controller is ready");
        }
        return end.join();
      } finally {
        program.close();
      }
    }
  }

  /**
   * Waits until {@code /readyz} is answered with 200, which may be later than the start: the API
   * server has to open each watch first.
   *
   * @return false if the program has to end before
   */
  private static boolean isReadyBefore(CompletableFuture<Integer> end, ControllerProgram program)
      throws InterruptedException {
    while (!end.isDone() && !isHealthy(program)) {
      Thread.sleep(READY_CHECK);
    }
    return !end.isDone();
  }

  /** What is missing ends the start in one line, before anything logs a failure of its own. */
  private static void check(ControllerSettings settings, KubernetesClient client) {
    var places = settings.places();
    var watched =
        places.watched().isEmpty()
            ? List.of(Optional.<String>empty())
            : places.watched().stream().sorted().map(Optional::of).toList();
    var check = new StartCheck(client);
    for (var namespace : watched) {
      check
          .lists(AutoScalingRunnerSet.class, namespace)
          .lists(EphemeralRunnerSet.class, namespace)
          .lists(EphemeralRunner.class, namespace);
    }
    check
        .lists(AutoScalingListener.class, Optional.of(places.listenerNamespace()))
        .holdsLeases(places.controllerNamespace(), ControllerSettings.LEASE);
  }

  private @Nullable HealthServer health(AtomicReference<@Nullable ControllerProgram> started)
      throws IOException {
    if (healthPort == 0) {
      return null;
    }
    return HealthServer.start(
        healthPort,
        new HealthServer.Probes(
            () -> started.get() == null || isHealthy(started.get()),
            () -> isHealthy(started.get())),
        Map.of(
            "/metrics",
            HealthServer.Page.metrics(() -> {
              var program = started.get();
              return ProcessMeter.with(program == null ? MetricSnapshots.of() : program.metrics());
            }),
            "/configz",
            HealthServer.Page.json(() -> EffectiveSettings.json(effectiveSettings()))));
  }

  private static boolean isHealthy(@Nullable ControllerProgram program) {
    return program != null && program.isHealthy();
  }

  private ControllerProgram start(
      ControllerSettings settings, KubernetesClient client, CompletableFuture<Integer> end) {
    var program =
        ControllerProgram.start(
            settings,
            client,
            maySend ->
                ControllerProgram.connector(
                    ProductVersion.text(),
                    flags.allowedHosts(),
                    settings.concurrency(),
                    maySend,
                    clocks.now()),
            clocks,
            new SecureRandom(),
            why -> {
              LOG.atError().addKeyValue("reason", why).log("stopping: another process may lead");
              end.complete(1);
            });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(program, end), "shutdown"));
    return program;
  }

  private static void end(ControllerProgram program, CompletableFuture<Integer> end) {
    program.close();
    if (!end.isDone()) {
      Runtime.getRuntime().halt(0); // a signal's own exit code would say that it failed
    }
  }

  private void logSettings() {
    var line = LOG.atInfo();
    for (var setting : effectiveSettings().entrySet()) {
      line = line.addKeyValue(setting.getKey(), setting.getValue());
    }
    line.log("the settings are these");
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

  private static int refuse(@Nullable String sentence) {
    System.err.println("runnerset controller: " + sentence);
    return 1;
  }
}
