@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.status;

import org.jspecify.annotations.NullMarked;
