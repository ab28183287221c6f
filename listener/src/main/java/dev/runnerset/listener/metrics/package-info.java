/** What the listener counts and measures, for Prometheus. */
@NullMarked
package dev.runnerset.listener.metrics;

import org.jspecify.annotations.NullMarked;
