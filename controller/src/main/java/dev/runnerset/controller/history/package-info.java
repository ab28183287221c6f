/** The rollouts of a set, ranked and bounded. */
@NullMarked
@Pure
package dev.runnerset.controller.history;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
