/**
 * Listener objects and the processes that hold them: when a deleted object loses its finalizer, and
 * which processes are dead.
 */
@NullMarked
package dev.runnerset.controller.autoscalinglistener;

import org.jspecify.annotations.NullMarked;
