/** Jobs that were lost with their runner run again (RR1 to RR6). */
@NullMarked
package dev.runnerset.controller.features.rerun;

import org.jspecify.annotations.NullMarked;
