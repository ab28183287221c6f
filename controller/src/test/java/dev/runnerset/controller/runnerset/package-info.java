/** Tests of the decisions about runner sets. */
@NullMarked
package dev.runnerset.controller.runnerset;

import org.jspecify.annotations.NullMarked;
