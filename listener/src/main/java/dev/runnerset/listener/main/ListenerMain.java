package dev.runnerset.listener.main;

import dev.runnerset.base.HealthServer;
import dev.runnerset.base.metrics.ProcessMeter;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.StartCheck;
import dev.runnerset.listener.config.ListenerSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The listener as a process: runs until it is asked to end. */
public final class ListenerMain {
  private ListenerMain() {}

  /** Exits 0 when ended by a signal, 2 for a bad flag or value. */
  public static void main(String[] arguments) {
    System.exit(new ListenerCommand().line().execute(arguments));
  }

  /** What is missing ends the start in one line, before anything logs a failure of its own. */
  private static void check(ListenerSettings settings, KubernetesClient client) {
    var _ =
        new StartCheck(client)
            .lists(AutoScalingListener.class, Optional.of(settings.namespace()))
            .holdsLeases(settings.namespace(), settings.lease().name());
  }

  /**
   * Listens until a signal ends the process.
   *
   * @throws IOException if the port cannot be served
   */
  static void run(ListenerSettings settings, ListenerCommand command)
      throws InterruptedException, IOException {
    var client = KubeConnection.connect(command.kubeconfig(), "runnerset-listener");
    check(settings, client);
    var started = new AtomicReference<@Nullable ListenerProgram>();
    if (command.healthPort > 0) {
      var _ = health(command.healthPort, started);
    }
    var clock = Clock.systemUTC();
    var program =
        ListenerProgram.start(
            settings,
            client,
            maySend ->
                ListenerProgram.connector(settings.poll(), command.allowedHosts(), maySend, clock),
            clock,
            new Random());
    started.set(program);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(program, client), "end"));
    new CountDownLatch(1).await(); // until a signal
  }

  /** Before the start: a port that is taken ends it. */
  private static HealthServer health(int port, AtomicReference<@Nullable ListenerProgram> started)
      throws IOException {
    return HealthServer.start(
        port,
        new HealthServer.Probes(
            () -> of(started, ListenerProgram::isHealthy, true),
            () -> of(started, ListenerProgram::isReady, false)),
        Map.of(
            "/metrics",
            HealthServer.Page.metrics(() -> {
              var program = started.get();
              return ProcessMeter.with(program == null ? MetricSnapshots.of() : program.metrics());
            })));
  }

  /** What the program says, or that before it has started. */
  private static <T extends Object> T of(
      AtomicReference<@Nullable ListenerProgram> started,
      Function<ListenerProgram, T> question,
      T before) {
    var program = started.get();
    return program == null ? before : question.apply(program);
  }

  private static void end(ListenerProgram program, KubernetesClient client) {
    program.close();
    client.close();
    Runtime.getRuntime().halt(0); // a signal's own exit code would say that it failed
  }
}
