/**
 * How both programs reach Kubernetes: single requests that say exactly what they change, without
 * the reads and diffs that a client's convenience adds (WR2).
 */
@NullMarked
package dev.runnerset.kube;

import org.jspecify.annotations.NullMarked;
