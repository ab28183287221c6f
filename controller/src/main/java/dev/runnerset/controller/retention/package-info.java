/** Finished runners: which are kept, and when each of them goes. */
@NullMarked
package dev.runnerset.controller.retention;

import org.jspecify.annotations.NullMarked;
