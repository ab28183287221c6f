/** The rollouts of a set, ranked and bounded. */
@NullMarked
package dev.runnerset.controller.features.history;

import org.jspecify.annotations.NullMarked;
