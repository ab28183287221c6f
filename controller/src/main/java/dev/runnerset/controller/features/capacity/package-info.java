/** How many more runners the quotas of a namespace allow, and which quota allows the fewest. */
@NullMarked
@Pure
package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
