/** EphemeralRunner: registration, secret, pod, and its life to a terminal phase. */
@NullMarked
package dev.runnerset.controller.runner;

import org.jspecify.annotations.NullMarked;
