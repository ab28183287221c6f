/**
 * The page of {@code kubectl runnerset ui}: a server on loopback that follows a fleet by informers
 * with the rights of the person who runs it, and sends a browser what has changed.
 */
@NullMarked
package dev.runnerset.cli.ui;

import org.jspecify.annotations.NullMarked;
