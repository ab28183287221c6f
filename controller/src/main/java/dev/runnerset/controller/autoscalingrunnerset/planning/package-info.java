/**
 * What is decided for a runner set, its names and the specs of its children. Every class is pure.
 */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.planning;

import org.jspecify.annotations.NullMarked;
