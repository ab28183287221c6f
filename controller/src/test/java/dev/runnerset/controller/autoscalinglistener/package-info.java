/** Tests of the release of listener objects. */
@NullMarked
package dev.runnerset.controller.autoscalinglistener;

import org.jspecify.annotations.NullMarked;
