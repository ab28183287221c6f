package dev.runnerset.controller.gc;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Instant;

/**
 * A runner of a set with its age.
 *
 * @param created when its resource was made; in whole seconds
 * @param pinned whether its annotation says that it must be retained
 */
@Pure
public record AgedRunner(RunnerView view, Instant created, boolean pinned) {}
