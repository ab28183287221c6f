package dev.runnerset.simulator.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What simulated nodes are like; each setter returns this. Not to be changed once they start. */
public final class NodeOptions {
  /** The pods that it plays. */
  static final String LABEL_SELECTOR = "app.kubernetes.io/component=runner";

  /** The container in which the simulated runner lives. */
  static final String RUNNER_CONTAINER = "runner";

  /** Between renewals of a node's lease. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  static final Clock CLOCK = Clock.systemUTC();

  String name = "simulated-node";
  int nodes = 1;
  Optional<String> namespace = Optional.empty();
  int maxPods = 5_000;
  Duration imagePull = Duration.ofMillis(500);
  Duration containerStart = Duration.ofMillis(500);
  boolean sideCarsOutlive;
  boolean bindsPods = true;
  boolean forcedKills;
  Duration onlineDelay = Duration.ZERO;
  private Duration clockOffset = Duration.ZERO;

  private NodeOptions() {}

  /** Runner pods of all namespaces, up to 5,000, running after 1 s. */
  public static NodeOptions defaults() {
    return new NodeOptions();
  }

  public NodeOptions withName(String value) {
    name = value;
    return this;
  }

  /** Several nodes, named {@code name-1} and so on. */
  public NodeOptions withNodes(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("there must be a node");
    }
    nodes = value;
    return this;
  }

  /** Pods of that namespace only. */
  public NodeOptions withNamespace(String value) {
    namespace = Optional.of(value);
    return this;
  }

  /** Pods at a time and node; more stay Pending, unschedulable. */
  public NodeOptions withMaxPods(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("a node cannot hold " + value + " pods");
    }
    maxPods = value;
    return this;
  }

  /** Times to pull images, and from there to running containers. */
  public NodeOptions withDelays(Duration pull, Duration start) {
    imagePull = notNegative(pull);
    containerStart = notNegative(start);
    return this;
  }

  /** A scheduler binds pods: the nodes play what it has bound to them, and nothing else. */
  public NodeOptions withScheduler() {
    bindsPods = false;
    return this;
  }

  /** Other containers of a pod go on when its runner has ended, as they do at a kubelet. */
  public NodeOptions withSideCarsThatOutlive() {
    sideCarsOutlive = true;
    return this;
  }

  /**
   * A pod that is deleted without grace is killed, and its runner says nothing more; otherwise it
   * reports its job, for which a kubelet gives it a second.
   */
  public NodeOptions withForcedKills() {
    forcedKills = true;
    return this;
  }

  /** How far the node's clock, which dates what it writes, is ahead of all others; or behind. */
  public NodeOptions withClockOffset(Duration value) {
    clockOffset = value;
    return this;
  }

  /** Runners that connect so long after their container has started. */
  public NodeOptions withOnlineDelay(Duration value) {
    onlineDelay = notNegative(value);
    return this;
  }

  private static Duration notNegative(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delays must not be negative");
    }
    return delay;
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
}
