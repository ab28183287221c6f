package dev.runnerset.controller.gc;

import dev.runnerset.controller.removal.RunnerView;
import java.time.Instant;

/**
 * One runner of a set, as far as its age matters.
 *
 * @param created when its resource was made; in whole seconds
 * @param pinned whether it is annotated to stay
 */
public record AgedRunner(RunnerView view, Instant created, boolean pinned) {}
