/** A bad network between two programs that are as they should be. */
@NullMarked
package dev.runnerset.simulator.network;

import org.jspecify.annotations.NullMarked;
