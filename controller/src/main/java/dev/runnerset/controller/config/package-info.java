/** The settings of the controller, as records. */
@NullMarked
@Pure
package dev.runnerset.controller.config;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
