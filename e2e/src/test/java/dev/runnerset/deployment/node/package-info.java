/**
 * A node for tests that starts the containers of the two programs as local processes: what the
 * scheduler, the kubelet and the container runtime do for a pod, as far as their pods need it.
 */
@NullMarked
package dev.runnerset.deployment.node;

import org.jspecify.annotations.NullMarked;
