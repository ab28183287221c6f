package dev.runnerset.controller.runner;

import dev.runnerset.crd.EphemeralRunnerSet;
import java.util.Optional;

/** The cached EphemeralRunnerSets, from which the pods of their runners are built. */
@FunctionalInterface
public interface SetTemplates {
  /** The set's object of that name as the cache has it; reads nothing. */
  Optional<EphemeralRunnerSet> of(String namespace, String setName);
}
