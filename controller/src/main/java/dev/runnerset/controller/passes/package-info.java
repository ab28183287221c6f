/** The steps of a pass, and what a user reads of passes that fail. */
@NullMarked
package dev.runnerset.controller.passes;

import org.jspecify.annotations.NullMarked;
