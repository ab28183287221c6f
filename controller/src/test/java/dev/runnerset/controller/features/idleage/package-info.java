/** Tests of age collection. */
@NullMarked
package dev.runnerset.controller.features.idleage;

import org.jspecify.annotations.NullMarked;
