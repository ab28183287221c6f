/** EphemeralRunner: registration, secret, pod, and its life to a terminal phase. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner;

import org.jspecify.annotations.NullMarked;
