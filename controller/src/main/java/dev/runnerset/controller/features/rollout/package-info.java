/** How runners of an older revision are replaced (RV2). */
@NullMarked
package dev.runnerset.controller.features.rollout;

import org.jspecify.annotations.NullMarked;
