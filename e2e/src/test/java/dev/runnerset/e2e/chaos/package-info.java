/** What fails under running jobs, and whether what sets say meanwhile is true. */
@NullMarked
package dev.runnerset.e2e.chaos;

import org.jspecify.annotations.NullMarked;
