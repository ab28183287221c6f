package dev.runnerset.controller.retention;

import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.Optional;

/** The sets, as a cache or the server has them. */
@FunctionalInterface
public interface SetLookup {
  /** The set of that name; empty where there is none. */
  Optional<AutoScalingRunnerSet> of(String namespace, String name);
}
