package dev.runnerset.controller.ephemeralrunner;

/** Makes the EphemeralRunnerSet's reconciler run for news that no event of a resource carries. */
@FunctionalInterface
public interface ReconcileTrigger {
  /** Triggers a reconciliation of the EphemeralRunnerSet of that name, if there is one. */
  void trigger(String namespace, String name);
}
