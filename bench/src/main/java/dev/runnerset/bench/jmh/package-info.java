/** Microbenchmarks of what is done for each event. */
@NullMarked
package dev.runnerset.bench.jmh;

import org.jspecify.annotations.NullMarked;
