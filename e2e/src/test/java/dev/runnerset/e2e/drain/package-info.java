/** Nodes that are drained under running jobs. */
@NullMarked
package dev.runnerset.e2e.drain;

import org.jspecify.annotations.NullMarked;
