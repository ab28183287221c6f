/** AutoScalingRunnerSet: scale set, children, status. */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset;

import org.jspecify.annotations.NullMarked;
