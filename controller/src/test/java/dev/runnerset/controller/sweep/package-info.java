/** Tests of the sweep for left-overs. */
@NullMarked
package dev.runnerset.controller.sweep;

import org.jspecify.annotations.NullMarked;
