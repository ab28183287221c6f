/** Tests of the command that rehearses a history. */
@NullMarked
package dev.runnerset.demo.history;

import org.jspecify.annotations.NullMarked;
