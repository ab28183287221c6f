/** Idle runners that go for their age: a periodic sweep behind a feature gate. */
@NullMarked
package dev.runnerset.controller.gc;

import org.jspecify.annotations.NullMarked;
