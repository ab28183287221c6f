/** Quotas and limit ranges of the in-process API server. */
@NullMarked
package dev.runnerset.simulator.kube.quota;

import org.jspecify.annotations.NullMarked;
