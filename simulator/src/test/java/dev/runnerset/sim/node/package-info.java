/** Tests of the simulated node. */
@NullMarked
package dev.runnerset.sim.node;

import org.jspecify.annotations.NullMarked;
