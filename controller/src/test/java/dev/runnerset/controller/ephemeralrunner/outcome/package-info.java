/** Tests of how runners end. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner.outcome;

import org.jspecify.annotations.NullMarked;
