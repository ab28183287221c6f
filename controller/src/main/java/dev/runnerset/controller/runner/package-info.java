/**
 * EphemeralRunner: registration, secret, pod, and its life to a terminal phase (design section 6).
 */
@NullMarked
package dev.runnerset.controller.runner;

import org.jspecify.annotations.NullMarked;
