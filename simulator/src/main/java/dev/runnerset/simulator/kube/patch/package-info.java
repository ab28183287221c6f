/** JSON patch, merge patch and strategic merge patch, on JSON trees. */
@NullMarked
package dev.runnerset.simulator.kube.patch;

import org.jspecify.annotations.NullMarked;
