/** Tests of the package of the same name. */
@NullMarked
package dev.runnerset.listener.main;

import org.jspecify.annotations.NullMarked;
