/** Tests of the control plane for tests. */
@NullMarked
package dev.runnerset.testcluster;

import org.jspecify.annotations.NullMarked;
