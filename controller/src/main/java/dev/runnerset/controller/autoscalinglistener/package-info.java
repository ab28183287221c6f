/** The reconciler of AutoScalingListener: when a deleted listener object loses its finalizer. */
@NullMarked
package dev.runnerset.controller.autoscalinglistener;

import org.jspecify.annotations.NullMarked;
