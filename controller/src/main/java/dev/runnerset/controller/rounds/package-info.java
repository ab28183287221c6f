/** Informers and timers beside the reconcilers. */
@NullMarked
package dev.runnerset.controller.rounds;

import org.jspecify.annotations.NullMarked;
