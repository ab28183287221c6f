/** What the tests of all modules share. */
@NullMarked
package dev.runnerset.testsupport;

import org.jspecify.annotations.NullMarked;
