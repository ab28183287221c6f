/** Tests of the charts: as text, by helm, and installed on a real control plane. */
@NullMarked
package dev.runnerset.deployment;

import org.jspecify.annotations.NullMarked;
