/** How runners of an older revision are replaced (RV2). Pure. */
@NullMarked
package dev.runnerset.controller.rollout;

import org.jspecify.annotations.NullMarked;
