/** The page on the way from actions-runner-controller, command by command. */
@NullMarked
package dev.runnerset.e2e.beside;

import org.jspecify.annotations.NullMarked;
