/** The command line of the conversion: reads files, prints YAML and notes. */
@NullMarked
package dev.runnerset.migrate.main;

import org.jspecify.annotations.NullMarked;
