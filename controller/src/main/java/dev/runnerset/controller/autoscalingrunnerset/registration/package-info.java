/**
 * What is asked of the Actions service for a runner set: its scale set is found, made, renamed and
 * deleted.
 */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.registration;

import org.jspecify.annotations.NullMarked;
