/** Tests of the events of a set. */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.events;

import org.jspecify.annotations.NullMarked;
