@NullMarked
package dev.runnerset.controller.autoscalingrunnerset.registration;

import org.jspecify.annotations.NullMarked;
