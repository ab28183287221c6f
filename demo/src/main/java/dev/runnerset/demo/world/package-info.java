/**
 * The surroundings of a rehearsal, and what a script can do in them; the module e2e uses them, too.
 */
@NullMarked
package dev.runnerset.demo.world;

import org.jspecify.annotations.NullMarked;
