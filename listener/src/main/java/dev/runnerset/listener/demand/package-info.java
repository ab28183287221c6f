/**
 * From statistics and job messages to the demand to report and the runners to mark (DM1, DM3).
 * Pure: no client, no clock.
 */
@NullMarked
package dev.runnerset.listener.demand;

import org.jspecify.annotations.NullMarked;
