/** What the container hooks make for jobs, and what killed runners leave of it. */
@NullMarked
package dev.runnerset.e2e.jobpods;

import org.jspecify.annotations.NullMarked;
