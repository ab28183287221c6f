package dev.runnerset.controller.runner;

import java.time.Instant;

/**
 * How a runner's container ended, as the er reconciler read it off the pod; a status patch for it
 * is spared where the runner is deleted at once (design section 6, Budget).
 *
 * @param at when the container ended
 * @param exitCode of the container named runner
 */
public record RunnerExit(Instant at, int exitCode) {}
