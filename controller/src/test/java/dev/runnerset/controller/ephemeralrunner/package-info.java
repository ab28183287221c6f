/** Tests of the life of a runner. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner;

import org.jspecify.annotations.NullMarked;
