/**
 * Deletes kept runners: one controller when their time is over, another one beyond the limits of
 * their set.
 */
@NullMarked
package dev.runnerset.controller.features.retention;

import org.jspecify.annotations.NullMarked;
