package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import java.util.List;
import java.util.Map;

/**
 * The runners of one set at one moment.
 *
 * @param byUid the resources of the cache, which must not be changed
 * @param views one for each resource, in no particular order
 */
@Pure
record ObservedRunners(Map<String, EphemeralRunner> byUid, List<RunnerView> views) {
  ObservedRunners {
    byUid = Map.copyOf(byUid);
    views = List.copyOf(views);
  }
}
