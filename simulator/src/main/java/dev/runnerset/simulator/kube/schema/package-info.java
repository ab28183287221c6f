/** Structural schemas of custom kinds: validation, pruning, defaults. */
@NullMarked
package dev.runnerset.simulator.kube.schema;

import org.jspecify.annotations.NullMarked;
