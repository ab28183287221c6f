/** The real controller and listener as processes. */
@NullMarked
package dev.runnerset.demo.programs;

import org.jspecify.annotations.NullMarked;
