/** Connections to the Actions service, from a set's URL and credentials secret. */
@NullMarked
package dev.runnerset.controller.connection;

import org.jspecify.annotations.NullMarked;
