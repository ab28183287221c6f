/** Which limits of a runner set hold now, by its schedule, and when they change next. */
@NullMarked
package dev.runnerset.controller.features.schedule;

import org.jspecify.annotations.NullMarked;
