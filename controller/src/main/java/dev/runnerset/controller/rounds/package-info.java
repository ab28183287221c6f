/** Work that comes again by a timer, and not by events. */
@NullMarked
package dev.runnerset.controller.rounds;

import org.jspecify.annotations.NullMarked;
