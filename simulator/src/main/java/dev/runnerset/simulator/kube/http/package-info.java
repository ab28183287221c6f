/** A request taken apart, and the forms of a reply. */
@NullMarked
package dev.runnerset.simulator.kube.http;

import org.jspecify.annotations.NullMarked;
