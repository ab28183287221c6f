/** What is decided for a runner set, its names and the specs of its children. */
@NullMarked
@Pure
package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
