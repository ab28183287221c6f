/** The features, and in which order what they bring counts. The core knows none of them. */
@NullMarked
package dev.runnerset.controller.features;

import org.jspecify.annotations.NullMarked;
