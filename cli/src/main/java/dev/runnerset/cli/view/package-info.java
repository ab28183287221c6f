/**
 * What a person sees of a fleet, computed from objects that were read: pure, without a cluster and
 * without a clock. The words of reasons and their advice come from the statuses; nothing is decided
 * here a second time.
 */
@NullMarked
package dev.runnerset.cli.view;

import org.jspecify.annotations.NullMarked;
