/** What a program counts and measures, and how Prometheus reads it. */
@NullMarked
package dev.runnerset.base.metrics;

import org.jspecify.annotations.NullMarked;
