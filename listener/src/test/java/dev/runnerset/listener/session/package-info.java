/** Tests of the package of the same name. */
@NullMarked
package dev.runnerset.listener.session;

import org.jspecify.annotations.NullMarked;
