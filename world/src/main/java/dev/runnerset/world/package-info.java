/**
 * The random world: the real programs in virtual time, with everything around them played. All of
 * it is in the tests of this module.
 */
@NullMarked
package dev.runnerset.world;

import org.jspecify.annotations.NullMarked;
