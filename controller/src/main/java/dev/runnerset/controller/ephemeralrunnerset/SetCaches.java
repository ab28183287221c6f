package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Optional;
import java.util.Set;

/** The sets and runners as the caches have them, and what the process remembers of a set. */
interface SetCaches {
  Optional<EphemeralRunnerSet> set(String namespace, String name);

  /** All runners with the label of the set, its own or not. */
  Set<EphemeralRunner> labelled(EphemeralRunnerSet set);

  Optional<EphemeralRunner> runner(String namespace, String name);

  /** Puts a runner that was just made into the cache, before its event comes. */
  void remember(EphemeralRunner made);

  SetMemory memory(EphemeralRunnerSet set);
}
