/** What is deleted in every phase: no job is killed, and nothing is left. */
@NullMarked
package dev.runnerset.e2e.deletion;

import org.jspecify.annotations.NullMarked;
