/** An in-process Kubernetes API server: what our programs need of one, in memory. */
@NullMarked
package dev.runnerset.simulator.kube;

import org.jspecify.annotations.NullMarked;
