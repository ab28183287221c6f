package dev.runnerset.controller.ephemeralrunner;

/** Makes the ers reconciler look at a set again, for news that no event of a resource carries. */
@FunctionalInterface
public interface ReconcileTrigger {
  /** Wakes the EphemeralRunnerSet of that name; does nothing when there is none. */
  void wake(String namespace, String name);
}
