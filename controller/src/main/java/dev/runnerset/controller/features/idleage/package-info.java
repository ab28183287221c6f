/** Idle runners that go for their age: a periodic sweep behind a feature gate. */
@NullMarked
package dev.runnerset.controller.features.idleage;

import org.jspecify.annotations.NullMarked;
