package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import java.util.List;
import java.util.Map;

/**
 * The runners of one set at one moment: what was listed, and the pictures made of it.
 *
 * @param byUid the resources, the cache's own: not to be changed
 * @param views one for each, in no particular order
 */
record ObservedRunners(Map<String, EphemeralRunner> byUid, List<RunnerView> views) {
  ObservedRunners {
    byUid = Map.copyOf(byUid);
    views = List.copyOf(views);
  }
}
