/** What both programs hold in memory: where there is much, and after many jobs. */
@NullMarked
package dev.runnerset.e2e.memory;

import org.jspecify.annotations.NullMarked;
