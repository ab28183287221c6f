/** Runners that find no place on a node, by the verdict of the real scheduler. */
@NullMarked
package dev.runnerset.e2e.placement;

import org.jspecify.annotations.NullMarked;
