/** EphemeralRunnerSet: keeps the number of runners (design sections 4 and 5). */
@NullMarked
package dev.runnerset.controller.replicas;

import org.jspecify.annotations.NullMarked;
