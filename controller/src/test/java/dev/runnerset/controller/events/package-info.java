/** Tests of the events. */
@NullMarked
package dev.runnerset.controller.events;

import org.jspecify.annotations.NullMarked;
