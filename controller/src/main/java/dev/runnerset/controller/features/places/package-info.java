/** How many runners of each set there is room for, from the caches: what the terms are given. */
@NullMarked
package dev.runnerset.controller.features.places;

import org.jspecify.annotations.NullMarked;
