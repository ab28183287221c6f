/** Tests of the settings. */
@NullMarked
package dev.runnerset.controller.config;

import org.jspecify.annotations.NullMarked;
