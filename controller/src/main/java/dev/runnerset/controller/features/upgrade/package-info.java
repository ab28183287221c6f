/** What does not fit together during an upgrade: the kinds, the two programs, the sets. */
@NullMarked
package dev.runnerset.controller.features.upgrade;

import org.jspecify.annotations.NullMarked;
