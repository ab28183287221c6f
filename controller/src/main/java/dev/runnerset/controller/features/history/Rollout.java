package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;

/**
 * What is being rolled out now, as it is seen.
 *
 * @param revision its identity, and nothing else is (HS5)
 * @param image of the container that runs the jobs; "" when there is none
 * @param version of the runner; "" while it is unknown
 * @param complete whether everything is of that revision: the runner set carries it, the listener
 *     runs, no older runner lives, and all wanted ones are registered (zero wanted counts)
 */
@Pure
public record Rollout(String revision, String image, String version, boolean complete) {}
