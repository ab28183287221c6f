/** Flags and wiring of the controller; no other package depends on it. */
@NullMarked
package dev.runnerset.controller.main;

import org.jspecify.annotations.NullMarked;
