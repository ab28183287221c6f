/** How runners of an older revision are replaced (RV2). */
@NullMarked
@Pure
package dev.runnerset.controller.rollout;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
