/**
 * Why a set, a runner or a job is as it is: the cause in one sentence, what shows it in the order
 * of time, and what to do. The words come from the conditions; nothing is decided here a second
 * time. Only the reader asks the cluster.
 */
@NullMarked
package dev.runnerset.cli.why;

import org.jspecify.annotations.NullMarked;
