/** How many runners are wanted, and which capacity is advertised. */
@NullMarked
@Pure
package dev.runnerset.controller.scaling;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
