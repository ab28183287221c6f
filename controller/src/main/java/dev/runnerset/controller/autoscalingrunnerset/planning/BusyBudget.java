package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.Map;

/**
 * The PodDisruptionBudget of a set: no pod of a runner that has a job or may get one is evicted
 * (SH2).
 *
 * <p>The number is larger than any count of pods, so that no eviction is ever allowed: with the
 * exact number a pod that becomes busy would leave room for an eviction until the budget is counted
 * again. With a {@code scale} subresource of the runner and {@code maxUnavailable: 0} a pod that
 * has just become unready can be evicted (ADR 51). {@code unhealthyPodEvictionPolicy} stays unset,
 * which means {@code IfHealthyBudget}: this budget is never healthy, so a pod that runs and is not
 * ready is not evicted either. A runner whose side-car is not ready has its job all the same.
 */
public final class BusyBudget {
  private static final int MORE_THAN_ALL = Integer.MAX_VALUE;

  private BusyBudget() {}

  /** Its name. */
  public static String name(AutoScalingRunnerSet set) {
    return set.getMetadata().getName() + "-busy";
  }

  /** Without owner reference: a foreground deletion of the set would delete it first (DL5). */
  public static PodDisruptionBudget of(AutoScalingRunnerSet set) {
    return new PodDisruptionBudgetBuilder()
        .withMetadata(ChildNames.metadata(set, name(set), ChildNames.budgetLabels(set)))
        .withNewSpec()
        .withNewMinAvailable(MORE_THAN_ALL)
        .withNewSelector()
        .withMatchLabels(Map.of(Labels.BUSY, "true", Labels.SET, set.getMetadata().getName()))
        .endSelector()
        .endSpec()
        .build();
  }
}
