/** Tests of connections and what they are made from. */
@NullMarked
package dev.runnerset.controller.connection;

import org.jspecify.annotations.NullMarked;
