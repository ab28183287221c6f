/**
 * What any Kubernetes API server must do for our programs: cases that run over HTTP against one.
 */
@NullMarked
package dev.runnerset.simulator.kube.contract;

import org.jspecify.annotations.NullMarked;
