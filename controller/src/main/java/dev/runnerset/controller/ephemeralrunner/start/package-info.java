/** How a runner starts: registration, secret, pod. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner.start;

import org.jspecify.annotations.NullMarked;
