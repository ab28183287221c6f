/** The kinds that are served, and what the server fills in, prunes and refuses for each. */
@NullMarked
package dev.runnerset.simulator.kube.kind;

import org.jspecify.annotations.NullMarked;
