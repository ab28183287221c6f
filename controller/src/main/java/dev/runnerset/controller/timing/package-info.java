/** When something is looked at again without an event. */
@NullMarked
package dev.runnerset.controller.timing;

import org.jspecify.annotations.NullMarked;
