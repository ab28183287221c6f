/** The simulated node: scheduler, kubelet and runner for pods of any Kubernetes API. */
@NullMarked
package dev.runnerset.simulator.node;

import org.jspecify.annotations.NullMarked;
