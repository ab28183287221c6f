/** The commands of {@code kubectl runnerset}: flags, exit codes, and one class for each command. */
@NullMarked
package dev.runnerset.cli.main;

import org.jspecify.annotations.NullMarked;
