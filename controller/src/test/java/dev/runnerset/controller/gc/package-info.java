/** Tests of age collection. */
@NullMarked
package dev.runnerset.controller.gc;

import org.jspecify.annotations.NullMarked;
