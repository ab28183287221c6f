package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * What a pass over a runner has of the framework: the caches, and the way of its writes into them.
 */
public interface RunnerCaches {
  /** The pod of the runner's name, whoever owns it. */
  Optional<Pod> podNamed(EphemeralRunner runner);

  /** Takes the answers to our writes, so that the next pass sees them before any event. */
  WriteCache writes();

  /** Takes our finalizer off the runner, which goes then. */
  void removeFinalizer(EphemeralRunner runner);
}
