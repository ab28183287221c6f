package dev.runnerset.controller.references;

import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Optional;

/** The cached EphemeralRunnerSets: what their runners are made of, and whom they ask. */
@FunctionalInterface
public interface RunnerSets {
  /** The set's object of that name as the cache has it; reads nothing. */
  Optional<EphemeralRunnerSet> of(String namespace, String setName);
}
