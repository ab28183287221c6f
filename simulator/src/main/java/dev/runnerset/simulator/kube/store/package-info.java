/** The objects, their owners, and the log of changes that watches read. */
@NullMarked
package dev.runnerset.simulator.kube.store;

import org.jspecify.annotations.NullMarked;
