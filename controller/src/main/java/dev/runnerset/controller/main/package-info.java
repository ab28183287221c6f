/** Wiring; imports everything, imported by nothing. */
@NullMarked
package dev.runnerset.controller.main;

import org.jspecify.annotations.NullMarked;
