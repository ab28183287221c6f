/** When something is looked at again without an event. */
@NullMarked
@Pure
package dev.runnerset.controller.timing;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
