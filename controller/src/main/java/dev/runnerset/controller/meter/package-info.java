/** What the controller counts, for Prometheus. */
@NullMarked
package dev.runnerset.controller.meter;

import org.jspecify.annotations.NullMarked;
