/** The API servers that a rehearsal may run on. */
@NullMarked
package dev.runnerset.demo.cluster;

import org.jspecify.annotations.NullMarked;
