/** The listener's settings, parsed once. */
@NullMarked
@Pure
package dev.runnerset.listener.config;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
