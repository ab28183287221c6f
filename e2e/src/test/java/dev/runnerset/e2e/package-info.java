/** What the end-to-end tests share; each suite is a package below. */
@NullMarked
package dev.runnerset.e2e;

import org.jspecify.annotations.NullMarked;
