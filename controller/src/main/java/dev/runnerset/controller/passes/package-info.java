/** What is told of passes that fail. */
@NullMarked
package dev.runnerset.controller.passes;

import org.jspecify.annotations.NullMarked;
