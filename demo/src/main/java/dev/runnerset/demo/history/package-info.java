/** The command {@code ./runnerset history}, which rehearses what a history keeps of a long life. */
@NullMarked
package dev.runnerset.demo.history;

import org.jspecify.annotations.NullMarked;
