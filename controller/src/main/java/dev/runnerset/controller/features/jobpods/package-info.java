/** What GitHub's container hooks make for a job: it is shielded, and goes after its runner. */
@NullMarked
package dev.runnerset.controller.features.jobpods;

import org.jspecify.annotations.NullMarked;
