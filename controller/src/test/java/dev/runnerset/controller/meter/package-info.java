/** Tests of what is counted. */
@NullMarked
package dev.runnerset.controller.meter;

import org.jspecify.annotations.NullMarked;
