/** Tests of what is reported of passes that fail. */
@NullMarked
package dev.runnerset.controller.passes;

import org.jspecify.annotations.NullMarked;
