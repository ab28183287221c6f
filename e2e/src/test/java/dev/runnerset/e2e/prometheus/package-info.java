/** A real Prometheus watches the programs: dashboards have data, and alerts fire by their cause. */
@NullMarked
package dev.runnerset.e2e.prometheus;

import org.jspecify.annotations.NullMarked;
