/** From statistics and job messages to the demand to report and the runners to mark (DM1, DM3). */
@NullMarked
@Pure
package dev.runnerset.listener.demand;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
