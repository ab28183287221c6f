/** Tests of the hooks. */
@NullMarked
package dev.runnerset.controller.hooks;

import org.jspecify.annotations.NullMarked;
