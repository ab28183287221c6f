/** Tests of the package of the same name. */
@NullMarked
package dev.runnerset.listener.kube;

import org.jspecify.annotations.NullMarked;
