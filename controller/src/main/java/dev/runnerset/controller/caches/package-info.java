/** How our own writes come into the caches of the framework before any event. */
@NullMarked
package dev.runnerset.controller.caches;

import org.jspecify.annotations.NullMarked;
