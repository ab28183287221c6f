/** How a rehearsal waits, and shows how it goes. */
@NullMarked
package dev.runnerset.demo.progress;

import org.jspecify.annotations.NullMarked;
