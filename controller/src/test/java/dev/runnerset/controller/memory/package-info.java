@NullMarked
package dev.runnerset.controller.memory;

import org.jspecify.annotations.NullMarked;
