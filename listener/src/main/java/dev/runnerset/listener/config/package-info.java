/** The listener's settings, parsed once. */
@NullMarked
package dev.runnerset.listener.config;

import org.jspecify.annotations.NullMarked;
