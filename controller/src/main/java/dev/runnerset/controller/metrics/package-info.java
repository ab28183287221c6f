/** What the controller counts, for Prometheus. */
@NullMarked
package dev.runnerset.controller.metrics;

import org.jspecify.annotations.NullMarked;
