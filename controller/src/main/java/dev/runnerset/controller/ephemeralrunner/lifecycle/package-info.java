/** What becomes of one runner: every decision from what is seen of it. Pure. */
@NullMarked
package dev.runnerset.controller.ephemeralrunner.lifecycle;

import org.jspecify.annotations.NullMarked;
