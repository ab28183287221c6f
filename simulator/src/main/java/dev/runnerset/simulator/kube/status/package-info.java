/** Answers that refuse a request: a failure {@code Status} with its reason and causes. */
@NullMarked
package dev.runnerset.simulator.kube.status;

import org.jspecify.annotations.NullMarked;
