/** What stalls a set: the set says so, and goes on by itself after the repair. */
@NullMarked
package dev.runnerset.e2e.stalls;

import org.jspecify.annotations.NullMarked;
