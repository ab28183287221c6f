/** Tests of the life of a runner. */
@NullMarked
package dev.runnerset.controller.runner;

import org.jspecify.annotations.NullMarked;
