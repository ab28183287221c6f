/** AutoScalingListener: what a listener may do and when its object goes (design section 6). */
@NullMarked
package dev.runnerset.controller.listening;

import org.jspecify.annotations.NullMarked;
