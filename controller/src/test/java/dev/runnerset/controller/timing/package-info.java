/** Tests of delays. */
@NullMarked
package dev.runnerset.controller.timing;

import org.jspecify.annotations.NullMarked;
