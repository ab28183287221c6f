package dev.runnerset.simulator.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What simulated nodes are like.
 *
 * @param name of the Node object; of several nodes the beginning of their names
 * @param nodes how many there are
 * @param namespace the one it serves; empty for all
 * @param maxPods pods at a time and node; more stay Pending, unschedulable
 * @param imagePull time to pull images
 * @param containerStart time from there to a running container
 * @param sideCarsOutlive whether other containers go on when the runner has ended
 * @param clockOffset by how much the node's clock, which dates what the node writes, is ahead of
 *     the wall clock; negative where it is behind
 * @param onlineDelay time from a running container to a runner that connects to the service
 */
public record NodeOptions(
    String name,
    int nodes,
    Optional<String> namespace,
    int maxPods,
    Duration imagePull,
    Duration containerStart,
    boolean sideCarsOutlive,
    Duration clockOffset,
    Duration onlineDelay) {
  /** The pods that it plays. */
  static final String LABEL_SELECTOR = "app.kubernetes.io/component=runner";

  /** The container in which the simulated runner lives. */
  static final String RUNNER_CONTAINER = "runner";

  /** Between renewals of a node's lease. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  static final Clock CLOCK = Clock.systemUTC();

  public NodeOptions {
    if (nodes < 1) {
      throw new IllegalArgumentException("there must be a node");
    }
    if (maxPods < 0) {
      throw new IllegalArgumentException("a node cannot hold " + maxPods + " pods");
    }
    if (imagePull.isNegative() || containerStart.isNegative() || onlineDelay.isNegative()) {
      throw new IllegalArgumentException("delays must not be negative");
    }
  }

  /** Runner pods of all namespaces, up to 5,000, running after 1 s. */
  public static NodeOptions defaults() {
    return new NodeOptions(
        "simulated-node",
        1,
        Optional.empty(),
        5_000,
        Duration.ofMillis(500),
        Duration.ofMillis(500),
        false,
        Duration.ZERO,
        Duration.ZERO);
  }

  public NodeOptions withName(String value) {
    return with(copy -> copy.name = value);
  }

  /** Several nodes, named {@code name-1} and so on. */
  public NodeOptions withNodes(int value) {
    return with(copy -> copy.nodes = value);
  }

  public NodeOptions withNamespace(String value) {
    return with(copy -> copy.namespace = Optional.of(value));
  }

  public NodeOptions withMaxPods(int value) {
    return with(copy -> copy.maxPods = value);
  }

  public NodeOptions withDelays(Duration pull, Duration start) {
    return with(copy -> {
      copy.imagePull = pull;
      copy.containerStart = start;
    });
  }

  /** Other containers of a pod go on when its runner has ended, as they do at a kubelet. */
  public NodeOptions withSideCarsThatOutlive() {
    return with(copy -> copy.sideCarsOutlive = true);
  }

  /** How far the node's clock is ahead of all others; negative if it is behind. */
  public NodeOptions withClockOffset(Duration value) {
    return with(copy -> copy.clockOffset = value);
  }

  /** Runners that connect so long after their container has started. */
  public NodeOptions withOnlineDelay(Duration value) {
    return with(copy -> copy.onlineDelay = value);
  }

  /** The names of the nodes, in their order. */
  List<String> names() {
    return nodes == 1
        ? List.of(name)
        : IntStream.rangeClosed(1, nodes).mapToObj(i -> name + "-" + i).toList();
  }

  /** What the node takes the time to be. */
  Instant nodeTime() {
    return CLOCK.instant().plus(clockOffset);
  }

  private NodeOptions with(Consumer<Copy> change) {
    var copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  /** The values of options, to be changed. */
  private static final class Copy {
    private String name;
    private int nodes;
    private Optional<String> namespace;
    private int maxPods;
    private Duration imagePull;
    private Duration containerStart;
    private boolean sideCarsOutlive;
    private Duration clockOffset;
    private Duration onlineDelay;

    Copy(NodeOptions before) {
      name = before.name;
      nodes = before.nodes;
      namespace = before.namespace;
      maxPods = before.maxPods;
      imagePull = before.imagePull;
      containerStart = before.containerStart;
      sideCarsOutlive = before.sideCarsOutlive;
      clockOffset = before.clockOffset;
      onlineDelay = before.onlineDelay;
    }

    NodeOptions options() {
      return new NodeOptions(
          name,
          nodes,
          namespace,
          maxPods,
          imagePull,
          containerStart,
          sideCarsOutlive,
          clockOffset,
          onlineDelay);
    }
  }
}
