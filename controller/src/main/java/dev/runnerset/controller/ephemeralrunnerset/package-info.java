/** EphemeralRunnerSet: keeps the number of runners. */
@NullMarked
package dev.runnerset.controller.ephemeralrunnerset;

import org.jspecify.annotations.NullMarked;
