package dev.runnerset.simulator.node;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Places for pods on the nodes: what a scheduler knows. A pod waits in line while each node is full
 * or cordoned. Thread-safe.
 */
final class Places {
  private final ArrayDeque<CompletableFuture<String>> line = new ArrayDeque<>(); // guarded by this
  private final Map<String, Integer> freeByNode = new LinkedHashMap<>(); // guarded by this
  private final Set<String> cordoned = new HashSet<>(); // guarded by this

  /**
   * Places on nodes that are empty and take pods.
   *
   * @param each how many pods a node holds
   */
  Places(Collection<String> nodes, int each) {
    nodes.forEach(node -> freeByNode.put(node, each));
  }

  /** Completes with the name of a node when a place there is held; done already if one was free. */
  synchronized CompletableFuture<String> request() {
    var place = new CompletableFuture<String>();
    line.add(place);
    serve();
    return place;
  }

  /** A place of a pod that is bound to that node already: a cordon does not concern it. */
  synchronized CompletableFuture<String> occupy(String node) {
    freeByNode.merge(node, -1, Integer::sum);
    return CompletableFuture.completedFuture(node);
  }

  /** Gives the place back, or leaves the line. */
  synchronized void giveUp(CompletableFuture<String> place) {
    if (!line.remove(place)) {
      freeByNode.merge(place.join(), 1, Integer::sum);
      serve();
    }
  }

  /** Says whether a node takes pods; an unknown one is ignored. */
  synchronized void cordon(String node, boolean is) {
    if (is) {
      cordoned.add(node);
    } else {
      cordoned.remove(node);
      serve();
    }
  }

  /** Why a pod waits, in the words of the scheduler. */
  synchronized String shortage() {
    long closed = freeByNode.keySet().stream().filter(cordoned::contains).count();
    long full = freeByNode.size() - closed;
    var why =
        closed == 0
            ? full + " Too many pods"
            : closed
                + " node(s) were unschedulable"
                + (full == 0 ? "" : ", " + full + " Too many pods");
    return "0/" + freeByNode.size() + " nodes are available: " + why + ".";
  }

  /** Called under the lock. */
  private void serve() {
    while (!line.isEmpty()) {
      var node = roomiest();
      if (node.isEmpty()) {
        return;
      }
      freeByNode.merge(node.get(), -1, Integer::sum);
      line.remove().complete(node.get());
    }
  }

  private Optional<String> roomiest() {
    return freeByNode.entrySet().stream()
        .filter(e -> e.getValue() > 0 && !cordoned.contains(e.getKey()))
        .max(Comparator.comparing(Map.Entry::getValue))
        .map(Map.Entry::getKey);
  }
}
