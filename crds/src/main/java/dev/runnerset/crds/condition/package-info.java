/** Conditions of a status: their types, their reasons, and how a list of them is read and built. */
@NullMarked
package dev.runnerset.crds.condition;

import org.jspecify.annotations.NullMarked;
