/** Tests of the decisions about runner sets. */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset;

import org.jspecify.annotations.NullMarked;
