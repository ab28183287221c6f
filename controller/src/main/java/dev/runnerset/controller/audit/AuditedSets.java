package dev.runnerset.controller.audit;

import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The sets as the caches have them, and the one way to remove their runners and registrations. */
public interface AuditedSets {
  /** All sets that have a scale set and are not being deleted. */
  List<EphemeralRunnerSet> all();

  /** The set of that name, being deleted or not. */
  Optional<EphemeralRunnerSet> one(String namespace, String name);

  /** What is known of the registrations of a set; passes change it, too. */
  AtomicReference<AuditState> memory(EphemeralRunnerSet set);

  /** The runners of a set; what the service's counts say of them is not in these views. */
  List<RunnerView> runners(EphemeralRunnerSet set);

  /** The runner of that name that the cache has, of whatever set. */
  Optional<EphemeralRunner> runner(String namespace, String name);

  /** Whether a runner of the set would bear such a name (NM1). */
  boolean isNameOf(EphemeralRunnerSet set, String name);

  /** Reads the service's counts of the set in this thread, unless a reading is under way. */
  void readCounts(EphemeralRunnerSet set);

  /**
   * Removes a registration without a resource, within the budget of the set (SD6). Blocks.
   *
   * @return what became of it; empty if no removal may begin now
   */
  Optional<LeftOver.Result> removeRegistration(EphemeralRunnerSet set, String name, long id);

  /**
   * Removes a runner that the service does not know, within the budget of the set. Blocks.
   *
   * @return what became of it; empty if no removal may begin now, or if the runner is gone
   */
  Optional<LeftOver.Result> removeRunner(EphemeralRunnerSet set, RunnerView unregistered);
}
