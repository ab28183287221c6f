/**
 * The four kinds of {@code runnerset.dev/v1alpha1} as records, their labels, and how their values
 * are read.
 */
@NullMarked
package dev.runnerset.crds;

import org.jspecify.annotations.NullMarked;
