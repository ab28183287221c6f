/** What a feature hangs on: the core calls these, and knows no feature. */
@NullMarked
package dev.runnerset.controller.hooks;

import org.jspecify.annotations.NullMarked;
