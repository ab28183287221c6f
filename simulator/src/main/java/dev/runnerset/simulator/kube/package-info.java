/** An in-process Kubernetes API server: what our programs and kubectl need of one, in memory. */
@NullMarked
package dev.runnerset.simulator.kube;

import org.jspecify.annotations.NullMarked;
