/** How many runners are wanted, and which capacity is advertised. Pure. */
@NullMarked
package dev.runnerset.controller.scaling;

import org.jspecify.annotations.NullMarked;
