package dev.runnerset.simulator.node;

import dev.runnerset.base.CommandLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code runnerset simulator node}: the simulated node as a process. */
@Command(
    name = "runnerset simulator node",
    description = "Plays scheduler, kubelet and runner for the runner pods of a Kubernetes API.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SimulatedNodeMain implements Callable<Integer> {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Default: $KUBECONFIG, then ~/.kube/config.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "simulated-node",
      description = "Name of the node. Default: ${DEFAULT-VALUE}.")
  String name = "";

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many; several are named NAME-1 and so on. Default: ${DEFAULT-VALUE}.")
  int nodes;

  @Option(names = "--namespace", paramLabel = "NS", description = "Only its pods. Default: all.")
  @Nullable String namespace;

  @Option(
      names = "--max-pods",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Pods at a time on each node. Default: ${DEFAULT-VALUE}.")
  int maxPods;

  @Option(
      names = "--image-pull",
      paramLabel = "MILLIS",
      defaultValue = "500",
      description = "Time to pull an image. Default: ${DEFAULT-VALUE}.")
  long imagePull;

  @Option(
      names = "--container-start",
      paramLabel = "MILLIS",
      defaultValue = "500",
      description = "Time to start the containers. Default: ${DEFAULT-VALUE}.")
  long containerStart;

  @Option(
      names = "--online-delay",
      paramLabel = "MILLIS",
      defaultValue = "0",
      description =
          "Time from a running container to a runner that is online. Default: ${DEFAULT-VALUE}.")
  long onlineDelay;

  @Option(
      names = "--clock-offset",
      paramLabel = "MILLIS",
      defaultValue = "0",
      description =
          "How far the node's clock is ahead of all others; negative for behind."
              + " Default: ${DEFAULT-VALUE}.")
  long clockOffset;

  private SimulatedNodeMain() {}

  /** Runs until the process is asked to stop; bad options end with one line and exit code 2. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command, for a launcher that has several. */
  public static CommandLine commandLine() {
    return CommandLines.withoutStackTraces(new SimulatedNodeMain());
  }

  @Override
  public Integer call() throws InterruptedException {
    var options =
        NodeOptions.defaults()
            .withName(name)
            .withNodes(nodes)
            .withMaxPods(maxPods)
            .withDelays(Duration.ofMillis(imagePull), Duration.ofMillis(containerStart))
            .withOnlineDelay(Duration.ofMillis(onlineDelay))
            .withClockOffset(Duration.ofMillis(clockOffset));
    var wanted = namespace == null ? options : options.withNamespace(namespace);
    try (var node = SimulatedNode.start(NodeKubeconfig.read(kubeconfig), wanted)) {
      var which = nodes == 1 ? "node " + name + " is" : nodes + " nodes are";
      System.out.println(which + " ready, " + node.timings().size() + " pods here");
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
