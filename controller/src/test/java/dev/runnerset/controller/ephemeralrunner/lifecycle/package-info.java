/** Tests of the decisions about one runner. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner.lifecycle;

import org.jspecify.annotations.NullMarked;
