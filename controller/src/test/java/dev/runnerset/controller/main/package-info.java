/** Tests of the whole controller against the in-process API server and the simulated service. */
@NullMarked
package dev.runnerset.controller.main;

import org.jspecify.annotations.NullMarked;
