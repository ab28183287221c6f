package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.scaling.CapacityLimit;
import java.util.Optional;

/** One thing that bounds how many runners a set may have, beside what the user wrote (DM12). */
@FunctionalInterface
interface CapacityTerm {
  /** What it leaves now; empty while it does not bound the set. */
  Optional<CapacityLimit> limit(CapacityMoment moment);
}
