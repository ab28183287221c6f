/** Tests of the sweep for left-overs. */
@NullMarked
package dev.runnerset.controller.features.leftovers;

import org.jspecify.annotations.NullMarked;
