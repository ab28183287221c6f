/** Tests of what is known of cordoned nodes. */
@NullMarked
package dev.runnerset.controller.nodes;

import org.jspecify.annotations.NullMarked;
