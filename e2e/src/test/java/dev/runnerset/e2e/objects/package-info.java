/** Objects that hold what they must not, or too much of it, beside a set that works. */
@NullMarked
package dev.runnerset.e2e.objects;

import org.jspecify.annotations.NullMarked;
