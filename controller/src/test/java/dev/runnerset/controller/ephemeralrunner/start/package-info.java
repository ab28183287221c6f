/** Tests of the start of a runner. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner.start;

import org.jspecify.annotations.NullMarked;
