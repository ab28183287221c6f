/** Creates, updates and deletions, and the garbage collector. */
@NullMarked
package dev.runnerset.simulator.kube.write;

import org.jspecify.annotations.NullMarked;
