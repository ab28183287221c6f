/** AutoScalingListener: what a listener may do and when its object goes. */
@NullMarked
package dev.runnerset.controller.autoscalinglistener;

import org.jspecify.annotations.NullMarked;
