/** The listener's side of Kubernetes: its writes, its reads, its lease, its watch. */
@NullMarked
package dev.runnerset.listener.kube;

import org.jspecify.annotations.NullMarked;
