/** Reads a cluster with the rights of the person who runs the program; a missing right is a gap. */
@NullMarked
package dev.runnerset.cli.cluster;

import org.jspecify.annotations.NullMarked;
