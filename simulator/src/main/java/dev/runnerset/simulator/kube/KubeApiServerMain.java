package dev.runnerset.simulator.kube;

import dev.runnerset.base.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The API server as a process of its own, until it is stopped. */
@Command(
    name = "apiserver",
    mixinStandardHelpOptions = true,
    description =
        "Runs an in-memory Kubernetes API server on loopback, with what our programs need of one.")
public final class KubeApiServerMain implements Callable<Integer> {
  @Option(names = "--port", paramLabel = "N", defaultValue = "0", description = "0: any free port")
  private int port;

  @Option(names = "--kubeconfig", paramLabel = "FILE", description = "write a kubeconfig there")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--apply",
      paramLabel = "FILE",
      description = "YAML to store at the start, such as CRDs; may be repeated")
  private List<Path> manifests = new ArrayList<>();

  @Option(
      names = "--latency",
      paramLabel = "MS",
      defaultValue = "0",
      description = "milliseconds that every request waits")
  private long latencyMillis;

  @Spec private @Nullable CommandSpec spec;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** For callers that have more commands than this one. Bad input: one line, exit code 2. */
  public static CommandLine commandLine() {
    return CommandLines.of(new KubeApiServerMain());
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = line().getOut();
    if (port < 0 || port > 65_535) {
      throw new ParameterException(line(), "--port must be 0 to 65535, but is " + port);
    }
    if (latencyMillis < 0) {
      throw new ParameterException(line(), "--latency must not be negative");
    }
    try (KubeApiServer server = startServer()) {
      server.faults().latency(Duration.ofMillis(latencyMillis));
      out.println("API server: " + server.url());
      if (kubeconfig != null) {
        write(kubeconfig, server.kubeconfig());
        out.println("kubectl --kubeconfig " + kubeconfig + " get namespaces");
      } else {
        out.println("kubectl --server " + server.url() + " get namespaces");
      }
      out.println("Counters: " + server.url() + "/_counters");
      out.flush();
      new CountDownLatch(1).await(); // until the process is stopped
    }
    return 0;
  }

  private KubeApiServer startServer() {
    KubeApiServer server;
    try {
      server = KubeApiServer.start(port, Clock.systemUTC());
    } catch (UncheckedIOException e) {
      throw new ParameterException(line(), "--port " + port + ": " + e.getMessage(), e);
    }
    for (Path manifest : manifests) {
      try {
        server.apply(Files.readString(manifest));
      } catch (IOException | IllegalArgumentException e) {
        server.close();
        throw new ParameterException(line(), "--apply " + manifest + ": " + e.getMessage(), e);
      }
    }
    return server;
  }

  private void write(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new ParameterException(line(), "--kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  private CommandLine line() {
    return java.util.Objects.requireNonNull(spec).commandLine();
  }
}
