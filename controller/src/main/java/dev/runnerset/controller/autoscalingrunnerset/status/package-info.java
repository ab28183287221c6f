/** What a runner set tells its user: conditions and counts. Every class is pure. */
@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.status;

import org.jspecify.annotations.NullMarked;
