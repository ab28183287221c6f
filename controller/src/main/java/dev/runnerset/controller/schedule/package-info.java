/** Which limits of a runner set hold now, by its schedule, and when they change next. */
@NullMarked
@Pure
package dev.runnerset.controller.schedule;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
