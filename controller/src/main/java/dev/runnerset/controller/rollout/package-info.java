/** How runners of an older revision are replaced (design 002). Pure. */
@NullMarked
package dev.runnerset.controller.rollout;

import org.jspecify.annotations.NullMarked;
