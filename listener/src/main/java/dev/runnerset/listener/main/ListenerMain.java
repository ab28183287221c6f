package dev.runnerset.listener.main;

import dev.runnerset.base.CommandLines;
import dev.runnerset.base.HealthServer;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.StartCheck;
import dev.runnerset.kube.UnreachableClusterException;
import dev.runnerset.listener.config.ListenerSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The listener as a process: runs until it is told to end. */
public final class ListenerMain {
  private static final String USER_AGENT = "runnerset-listener";
  private static final int BAD_USAGE = 2;

  private ListenerMain() {}

  /** Exits 0 when ended by a signal, 2 for a bad flag or value. */
  public static void main(String[] arguments) throws InterruptedException {
    var command = new ListenerCommand();
    var refused = parse(command, arguments, System.out, System.err);
    if (refused >= 0) {
      System.exit(refused);
    }
    try {
      var client = KubeConnection.connect(command.kubeconfig(), USER_AGENT);
      var settings = settings(command, System.getenv());
      check(settings, client);
      run(settings, command, client);
    } catch (IllegalArgumentException | UnreachableClusterException e) {
      refuse(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      refuse(
          "cannot serve port %d (%s): name another with --health-port, or 0 for none"
              .formatted(command.healthPort, e.getMessage()));
    }
  }

  private static void refuse(String why) {
    System.err.println("runnerset listener: " + why);
    System.exit(BAD_USAGE);
  }

  /** What is missing ends the start in one line, before anything logs a failure of its own. */
  private static void check(ListenerSettings settings, KubernetesClient client) {
    var _ =
        new StartCheck(client)
            .lists(AutoScalingListener.class, Optional.of(settings.namespace()))
            .holdsLeases(settings.namespace(), settings.lease().name());
  }

  /** Reads the command line; the exit code if that was all, else -1. */
  static int parse(ListenerCommand command, String[] arguments, PrintStream out, PrintStream err) {
    var line = new CommandLine(command);
    try {
      var parsed = line.parseArgs(arguments);
      if (parsed.isUsageHelpRequested()) {
        line.usage(out);
        return 0;
      }
      if (parsed.isVersionHelpRequested()) {
        line.printVersionHelp(out);
        return 0;
      }
      var _ = command.settings("checked-later", "checked-later");
      return -1;
    } catch (ParameterException | IllegalArgumentException e) {
      err.println(CommandLines.refusal(line.getCommandName(), e));
      return BAD_USAGE;
    }
  }

  private static ListenerSettings settings(
      ListenerCommand command, Map<String, String> environment) {
    var namespace = environment.getOrDefault("POD_NAMESPACE", ListenerSettings.NAMESPACE);
    var host =
        environment.getOrDefault(
            "POD_NAME", environment.getOrDefault("HOSTNAME", "runnerset-listener"));
    var random = UUID.randomUUID().toString().substring(0, 8);
    return command.settings(namespace, host + "-" + random);
  }

  private static void run(
      ListenerSettings settings, ListenerCommand command, KubernetesClient client)
      throws InterruptedException, IOException {
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
            () -> started.get() == null || is(started.get(), ListenerProgram::isHealthy),
            () -> is(started.get(), ListenerProgram::isReady)),
        Map.of("/metrics", HealthServer.Page.metrics(() -> metrics(started.get()))));
  }

  private static boolean is(
      @Nullable ListenerProgram program, Predicate<ListenerProgram> question) {
    return program != null && question.test(program);
  }

  private static String metrics(@Nullable ListenerProgram program) {
    return program == null ? "" : program.metrics();
  }

  private static void end(ListenerProgram program, KubernetesClient client) {
    program.close();
    client.close();
    Runtime.getRuntime().halt(0); // a signal's own exit code would say that it failed
  }
}
