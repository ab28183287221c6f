/** The connections to the API server: how it is noticed that nobody answers on them any more. */
@NullMarked
package dev.runnerset.kube.wire;

import org.jspecify.annotations.NullMarked;
