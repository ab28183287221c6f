/** JSON and YAML trees, and paths into them. Knows nothing of Kubernetes. */
@NullMarked
package dev.runnerset.simulator.kube.json;

import org.jspecify.annotations.NullMarked;
