/**
 * Sets of actions-runner-controller as sets of ours: resources and Helm values, and what differs.
 */
@NullMarked
@Pure
package dev.runnerset.migrate;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
