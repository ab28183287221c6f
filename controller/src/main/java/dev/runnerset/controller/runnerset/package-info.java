/** AutoScalingRunnerSet: scale set, children, status (design sections 3 and 6). */
@NullMarked
package dev.runnerset.controller.runnerset;

import org.jspecify.annotations.NullMarked;
