/**
 * The objects that the controller keeps for a runner set: they are read, made, changed and deleted
 * here.
 */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.children;

import org.jspecify.annotations.NullMarked;
