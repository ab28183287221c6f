/** How a runner ended, and whether something keeps it then. */
@NullMarked
@Pure
package dev.runnerset.controller.ephemeralrunner.outcome;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
