/** Tests of the test node. */
@NullMarked
package dev.runnerset.deployment.node;

import org.jspecify.annotations.NullMarked;
