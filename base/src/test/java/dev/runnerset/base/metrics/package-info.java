@NullMarked
package dev.runnerset.base.metrics;

import org.jspecify.annotations.NullMarked;
