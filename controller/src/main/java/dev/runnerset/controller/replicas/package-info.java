/** EphemeralRunnerSet: keeps the number of runners. */
@NullMarked
package dev.runnerset.controller.replicas;

import org.jspecify.annotations.NullMarked;
