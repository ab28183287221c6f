/** What becomes of one runner: every decision from what is seen of it. */
@NullMarked
@Pure
package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
