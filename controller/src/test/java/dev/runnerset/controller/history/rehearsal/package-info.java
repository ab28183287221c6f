/** Tests of the command that rehearses a history. */
@NullMarked
package dev.runnerset.controller.history.rehearsal;

import org.jspecify.annotations.NullMarked;
