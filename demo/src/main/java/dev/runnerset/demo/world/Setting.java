package dev.runnerset.demo.world;

import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.service.Timings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the surroundings of a rehearsal differ from the usual ones.
 *
 * @param controllerFlags beside those that every controller gets
 * @param leaseFlags how long a lease lasts
 * @param oneNamespace whether the controller has rights in the namespace of the set only
 * @param podStart from a pod's creation to its running container
 * @param nodes how many there are
 * @param places how many pods a scheduler may bind to each node; null if there is no scheduler, and
 *     nodes take all
 * @param days whether the schedules of the controller follow {@link World#days()}
 * @param jobLease how long the service waits for a runner that does not renew its job
 */
public record Setting(
    List<String> controllerFlags,
    List<String> leaseFlags,
    boolean oneNamespace,
    Duration podStart,
    int nodes,
    @Nullable Integer places,
    boolean days,
    Duration jobLease) {
  /**
   * A lease is shorter than it would be in a deployment, so that the next holder comes soon; one
   * node.
   */
  public static final Setting USUAL =
      new Setting(
          List.of(),
          List.of("--lease-duration=3s", "--renew-deadline=2s", "--retry-period=500ms"),
          false,
          Duration.ofSeconds(1),
          1,
          null,
          false,
          Timings.defaults().runLease());

  public Setting {
    controllerFlags = List.copyOf(controllerFlags);
    leaseFlags = List.copyOf(leaseFlags);
  }

  /** With other flags of the lease. */
  public Setting withLease(String... flags) {
    return new Setting(
        controllerFlags, List.of(flags), oneNamespace, podStart, nodes, places, days, jobLease);
  }

  /** With so many nodes. */
  public Setting withNodes(int count) {
    return new Setting(
        controllerFlags, leaseFlags, oneNamespace, podStart, count, places, days, jobLease);
  }

  /** With a scheduler of the cluster, and so many places on each node. */
  public Setting withPlaces(int count) {
    return new Setting(
        controllerFlags, leaseFlags, oneNamespace, podStart, nodes, count, days, jobLease);
  }

  /** What the nodes are like. */
  NodeOptions nodeOptions() {
    var half = podStart.dividedBy(2);
    var options =
        NodeOptions.defaults().withNodes(nodes).withDelays(half, half).withSideCarsThatOutlive();
    return places == null ? options : options.withMaxPods(places).withScheduler();
  }
}
