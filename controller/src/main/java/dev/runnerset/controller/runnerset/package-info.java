/** AutoScalingRunnerSet: scale set, children, status. */
@NullMarked
package dev.runnerset.controller.runnerset;

import org.jspecify.annotations.NullMarked;
