/** Small value types and functions that every module may use. They need the JDK only. */
@NullMarked
package dev.runnerset.base;

import org.jspecify.annotations.NullMarked;
