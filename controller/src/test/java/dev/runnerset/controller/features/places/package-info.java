/** Tests of age collection. */
@NullMarked
package dev.runnerset.controller.features.places;

import org.jspecify.annotations.NullMarked;
