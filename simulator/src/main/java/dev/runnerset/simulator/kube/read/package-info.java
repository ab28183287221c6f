/** Lists and watches, with their selectors. */
@NullMarked
package dev.runnerset.simulator.kube.read;

import org.jspecify.annotations.NullMarked;
