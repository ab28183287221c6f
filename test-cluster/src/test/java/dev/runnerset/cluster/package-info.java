/** Tests of the control plane for tests. */
@NullMarked
package dev.runnerset.cluster;

import org.jspecify.annotations.NullMarked;
