/** Which set an object belongs to, and how objects and sets are named and found. */
@NullMarked
package dev.runnerset.controller.ownership;

import org.jspecify.annotations.NullMarked;
