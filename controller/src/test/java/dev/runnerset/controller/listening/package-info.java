/** Tests of the release of listener objects. */
@NullMarked
package dev.runnerset.controller.listening;

import org.jspecify.annotations.NullMarked;
