/** Tests of what is counted. */
@NullMarked
package dev.runnerset.controller.metrics;

import org.jspecify.annotations.NullMarked;
