/** Kubernetes events about our objects, aggregated. */
@NullMarked
package dev.runnerset.controller.events;

import org.jspecify.annotations.NullMarked;
