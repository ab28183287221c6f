/** The command {@code ./runnerset history}, which rehearses what a history keeps of a long life. */
@NullMarked
package dev.runnerset.controller.history.rehearsal;

import org.jspecify.annotations.NullMarked;
