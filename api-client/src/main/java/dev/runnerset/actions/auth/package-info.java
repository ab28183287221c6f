/**
 * Credentials and what they are exchanged for: App JWT, installation and registration token, admin
 * connection, and their renewal. Knows an interface, not HTTP.
 */
@NullMarked
package dev.runnerset.actions.auth;

import org.jspecify.annotations.NullMarked;
