package dev.runnerset.demo.scenario;

import dev.runnerset.simulator.node.PodFault;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Nodes with so many places for some of the pods; a pod that has one keeps it. Thread-safe. */
final class NodePlaces {
  private final Predicate<String> needsOne;
  private final Set<String> placed = new HashSet<>(); // guarded by this
  private int places; // guarded by this

  /**
   * Nodes without pods.
   *
   * @param needsOne by the name of the pod; others find a place always
   */
  NodePlaces(int places, Predicate<String> needsOne) {
    this.places = places;
    this.needsOne = needsOne;
  }

  synchronized void grow(int by) {
    places += by;
  }

  synchronized Optional<PodFault> of(String pod) {
    if (!needsOne.test(pod) || placed.contains(pod)) {
      return Optional.empty();
    }
    if (placed.size() < places) {
      placed.add(pod);
      return Optional.empty();
    }
    return Optional.of(new PodFault.Unschedulable());
  }
}
