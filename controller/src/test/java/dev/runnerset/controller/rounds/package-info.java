/** Tests of the hooks. */
@NullMarked
package dev.runnerset.controller.rounds;

import org.jspecify.annotations.NullMarked;
