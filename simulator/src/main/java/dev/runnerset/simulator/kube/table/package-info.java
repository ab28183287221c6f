/** The tables that {@code kubectl get} prints. */
@NullMarked
package dev.runnerset.simulator.kube.table;

import org.jspecify.annotations.NullMarked;
