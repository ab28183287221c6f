/**
 * From what a set names (URL, secret, proxy, certificate) to a connection to the Actions service.
 * The controller and the listener read, check and report it alike.
 */
@NullMarked
package dev.runnerset.connection;

import org.jspecify.annotations.NullMarked;
