/** What the commands have in common on their command lines. */
@NullMarked
package dev.runnerset.controller.flags;

import org.jspecify.annotations.NullMarked;
