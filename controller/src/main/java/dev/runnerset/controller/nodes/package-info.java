/** Nodes that take no pods any more, and the watch that knows them. */
@NullMarked
package dev.runnerset.controller.nodes;

import org.jspecify.annotations.NullMarked;
