/** The reconciler of AutoScalingRunnerSet: sync and deletion, status and history. */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset;

import org.jspecify.annotations.NullMarked;
