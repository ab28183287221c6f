package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Optional;
import java.util.Set;

/** The sets and runners as the caches have them now, and what the process remembers of a set. */
interface SetCaches {
  Optional<EphemeralRunnerSet> set(String namespace, String name);

  /** All that bear the set's label, its own or not. */
  Set<EphemeralRunner> labelled(EphemeralRunnerSet set);

  Optional<EphemeralRunner> runner(String namespace, String name);

  SetMemory memory(EphemeralRunnerSet set);
}
