/** A cluster to test against: API server, clients and node, started and closed as one. */
@NullMarked
package dev.runnerset.simulator.cluster;

import org.jspecify.annotations.NullMarked;
