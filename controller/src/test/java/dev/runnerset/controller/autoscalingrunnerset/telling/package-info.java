/** Tests of the events of a set. */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.telling;

import org.jspecify.annotations.NullMarked;
