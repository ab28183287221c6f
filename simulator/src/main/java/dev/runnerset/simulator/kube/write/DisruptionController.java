package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What kube-controller-manager does for PodDisruptionBudgets, on a thread of its own: computes
 * their statuses, a moment after a pod or a budget has changed.
 */
public final class DisruptionController implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(DisruptionController.class);

  /** Changes of that time are looked at together: each look reads all pods of a namespace. */
  private static final Duration TOGETHER = Duration.ofMillis(50);

  private final Cluster cluster;
  private final Writes writes;

  public DisruptionController(Cluster cluster, Writes writes) {
    this.cluster = cluster;
    this.writes = writes;
  }

  @Override
  public void run() {
    try {
      while (true) {
        @Nullable ObjectRef next = cluster.budgets().take();
        Thread.sleep(TOGETHER);
        while (next != null) {
          lookSafely(next);
          next = cluster.budgets().poll();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the server is closing
    }
  }

  private void lookSafely(ObjectRef ref) {
    try {
      look(ref);
    } catch (ApiException e) {
      LOG.atDebug().addKeyValue("why", e.getMessage()).log("budget changed while counting");
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("status of one disruption budget not computed");
    }
  }

  private void look(ObjectRef ref) {
    StoredObject budget = cluster.store(ref.type()).find(ref.key());
    if (budget == null) {
      return;
    }
    ResourceType podType = cluster.builtIn(ResourceType.PODS);
    List<StoredObject> pods =
        cluster.store(podType).snapshot(ref.namespace()).objects().stream()
            .filter(pod -> Budgets.covers(budget, pod))
            .toList();
    ObjectNode status = Budgets.status(budget, pods, cluster.clock().instant());
    var _ =
        writes.modify(
            ref,
            budget.name(),
            Writes.Part.INTERNAL,
            next -> {
              // an eviction came between: the change queued the budget again
              boolean same =
                  next.at("/metadata/resourceVersion")
                      .equals(budget.json().at("/metadata/resourceVersion"));
              if (same) {
                next.set("status", status);
              }
              return next;
            },
            Writes.Options.NONE);
  }
}
