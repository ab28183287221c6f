/** Kinds and programs that are replaced one by one while jobs come. */
@NullMarked
package dev.runnerset.e2e.upgrade;

import org.jspecify.annotations.NullMarked;
