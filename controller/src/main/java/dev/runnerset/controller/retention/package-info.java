/** Deletes finished runners when their time is over, or beyond the limits of their set. */
@NullMarked
package dev.runnerset.controller.retention;

import org.jspecify.annotations.NullMarked;
