package dev.runnerset.controller.sweep;

import dev.runnerset.actions.Statistics;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The sets as the caches have them, and the one way to remove their runners and registrations. */
public interface SetsToSweep {
  /** All sets that have a scale set and are not being deleted. */
  List<EphemeralRunnerSet> all();

  /** The set of that name, being deleted or not. */
  Optional<EphemeralRunnerSet> one(String namespace, String name);

  /** What is known of a set; empty until its reconciler looked at it for the first time. */
  Optional<SweepFacts> facts(EphemeralRunnerSet set);

  /** The service's counts were read. */
  void counted(EphemeralRunnerSet set, Statistics read, Instant askedAt);

  /** The names of runners that are there, or were a short time ago; the caller's own copy. */
  Set<String> knownNames(EphemeralRunnerSet set);

  /** Whether a runner of the set would bear such a name (NM1). */
  boolean isNameOf(EphemeralRunnerSet set, String name);

  /**
   * Runners that the service is not known to have (RN7), though their container has run for a
   * while; those that are missing longest come first.
   */
  List<RunnerView> missing(EphemeralRunnerSet set, Instant before);

  /** Whether the cache has a runner of that name. */
  boolean hasRunner(String namespace, String name);

  /** The resource of a runner of the cache. */
  Optional<EphemeralRunner> resource(EphemeralRunnerSet set, RunnerView runner);

  /** A registration as the remover needs it. */
  EphemeralRunner leftOver(EphemeralRunnerSet set, String name, long id);

  /**
   * Removes a registration without a resource, within the budget of the set (SD6). Blocks.
   *
   * @return what became of it; empty if no removal may begin now
   */
  Optional<LeftOver.Result> removeRegistration(EphemeralRunnerSet set, EphemeralRunner leftOver);

  /**
   * Removes a runner that the service does not know, within the budget of the set. Blocks.
   *
   * @return what became of it; empty if no removal may begin now, or if the runner is gone
   */
  Optional<LeftOver.Result> removeRunner(EphemeralRunnerSet set, RunnerView unregistered);
}
