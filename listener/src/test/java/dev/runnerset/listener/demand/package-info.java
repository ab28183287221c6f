/** Tests of the package of the same name. */
@NullMarked
package dev.runnerset.listener.demand;

import org.jspecify.annotations.NullMarked;
