package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The EphemeralRunnerSets and runners that the caches hold. Thread-safe. */
public interface KnownRunners {
  Stream<EphemeralRunnerSet> sets();

  Optional<EphemeralRunnerSet> set(String namespace, String name);

  /** All runners with the label of the set, its own or not. */
  Stream<EphemeralRunner> labelled(SetKey set);

  /** The names of those that came, changed or went since the last call; nothing at the first. */
  Set<String> takeChanged(SetKey set);

  Optional<EphemeralRunner> runner(String namespace, String name);

  /**
   * Puts a runner that was just made into the cache and has it reconciled, before its event comes.
   */
  void remember(EphemeralRunner made);

  /** The highest resourceVersion of a runner of that namespace that the watch brought; or 0. */
  long delivered(String namespace);
}
