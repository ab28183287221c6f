/** Tests of whose objects are. */
@NullMarked
package dev.runnerset.controller.ownership;

import org.jspecify.annotations.NullMarked;
