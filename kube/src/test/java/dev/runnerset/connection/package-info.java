@NullMarked
package dev.runnerset.connection;

import org.jspecify.annotations.NullMarked;
