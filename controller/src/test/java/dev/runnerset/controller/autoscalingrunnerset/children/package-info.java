@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.children;

import org.jspecify.annotations.NullMarked;
