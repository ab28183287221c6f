/** Flags, parsed once into records. Pure. */
@NullMarked
package dev.runnerset.controller.config;

import org.jspecify.annotations.NullMarked;
