package dev.runnerset.controller.features.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the placement of the runners of one set is judged by, at one moment.
 *
 * @param revision that runners are made of now
 * @param maxRunners as the user or a schedule says
 * @param runners that have not ended, and are not being deleted
 * @param fixedNodes whether the cluster gets no nodes by itself
 * @param failing what is reported of runners that fail before they get a job; null for nothing
 */
public record PlacementFacts(
    String revision,
    int maxRunners,
    List<Runner> runners,
    boolean fixedNodes,
    @Nullable Failing failing,
    Deadlines deadlines,
    Instant now) {
  /** Takes a copy. */
  public PlacementFacts {
    runners = List.copyOf(runners);
  }

  /**
   * Runners that fail before they get a job.
   *
   * @param lastAt when the last one did; null if that is not known
   */
  public record Failing(String message, @Nullable Instant lastAt) {}

  /** How long a runner may take until a node takes its pod, and from then until it runs. */
  public record Deadlines(Duration scheduling, Duration startup) {}

  /**
   * One runner.
   *
   * @param events of its pod, as far as they were read
   */
  public record Runner(
      String uid, String name, Instant created, Stage stage, List<PodEvent> events) {
    /** Takes a copy. */
    public Runner {
      events = List.copyOf(events);
    }

    boolean hasRun() {
      return stage instanceof Stage.Ran;
    }
  }

  /** How far a runner has come. */
  public sealed interface Stage {
    /**
     * No node has its pod.
     *
     * @param refused what the scheduler says; null if it has not refused the pod
     */
    record Unplaced(@Nullable String refused) implements Stage {}

    /**
     * A node has its pod, and the container has not run.
     *
     * @param since when the node got it; null if that is not known
     * @param problem the kubelet's word for what a container waits for; empty for none
     */
    record Placed(@Nullable Instant since, String problem, String message) implements Stage {}

    /**
     * Its container runs, or ran.
     *
     * @param since when that began; null if it is not known
     */
    record Ran(@Nullable Instant since) implements Stage {}
  }

  /** The runners whose container ran, by uid. */
  Set<String> ran() {
    return runners.stream().filter(Runner::hasRun).map(Runner::uid).collect(Collectors.toSet());
  }

  /** The runners that wait for a place, or for their container. */
  List<Runner> waiting() {
    return runners.stream().filter(Predicate.not(Runner::hasRun)).toList();
  }
}
