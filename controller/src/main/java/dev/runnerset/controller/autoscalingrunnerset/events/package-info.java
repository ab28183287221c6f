/** Which events a runner set gets: they follow from its status alone. */
@NullMarked
@Pure
package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
