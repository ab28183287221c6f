/** What a process remembers beside the caches. */
@NullMarked
package dev.runnerset.controller.memory;

import org.jspecify.annotations.NullMarked;
