/** Tests of the simulated node. */
@NullMarked
package dev.runnerset.simulator.node;

import org.jspecify.annotations.NullMarked;
