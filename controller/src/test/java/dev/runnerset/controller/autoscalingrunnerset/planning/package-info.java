@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.planning;

import org.jspecify.annotations.NullMarked;
