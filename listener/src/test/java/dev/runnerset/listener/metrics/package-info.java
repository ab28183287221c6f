@NullMarked
package dev.runnerset.listener.metrics;

import org.jspecify.annotations.NullMarked;
