package dev.runnerset.controller.autoscalingrunnerset.children;

import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.autoscalingrunnerset.planning.BusyBudget;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Protection;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.NamespaceTermination;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/** Creates, repairs and deletes the {@link BusyBudget} of a set. */
public final class BudgetWriter {
  private final MarkedObjects objects;

  public BudgetWriter(KubeApi kube) {
    this.objects = new MarkedObjects(kube);
  }

  /**
   * Makes the budget be as the set's protection says. A set without it works all the same.
   *
   * @param known the object in the cache; null if it has none
   * @return why the budget does not stand; null if it does, or if the set has no protection
   */
  public @Nullable String ensure(
      AutoScalingRunnerSet set, @Nullable PodDisruptionBudget known, WriteCache cache) {
    try {
      if (set.getSpec().protection() != Protection.NONE) {
        objects.ensure(PodDisruptionBudget.class, known, BusyBudget.of(set), cache);
      } else if (known != null) {
        remove(set);
      }
      return null;
    } catch (ForeignChildException e) {
      return e.getMessage();
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409 && known != null) {
        return ensure(set, null, cache); // its status changed since: it is read again
      }
      if (NamespaceTermination.isCauseOf(e)) {
        return null; // nothing more can be made
      }
      return ClusterFindings.of(e).message();
    }
  }

  /** Deletes the budget, unless it was not made for the set. */
  public void remove(AutoScalingRunnerSet set) {
    objects.remove(PodDisruptionBudget.class, BusyBudget.of(set));
  }
}
