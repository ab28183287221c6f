/** What a runner set tells its user: conditions and counts. */
@NullMarked
@Pure
package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
