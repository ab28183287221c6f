/** How views look in a terminal: tables that fit, ages, colours. */
@NullMarked
package dev.runnerset.cli.text;

import org.jspecify.annotations.NullMarked;
