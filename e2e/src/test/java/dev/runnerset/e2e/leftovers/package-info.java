/** Registrations that stand without a runner, on a real control plane. */
@NullMarked
package dev.runnerset.e2e.leftovers;

import org.jspecify.annotations.NullMarked;
