/** Flags, parsed once into records. */
@NullMarked
@Pure
package dev.runnerset.controller.config;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
