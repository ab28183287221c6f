/** Which finished runners are kept, how long, and which events matter to that. */
@NullMarked
@Pure
package dev.runnerset.controller.retention.rules;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
