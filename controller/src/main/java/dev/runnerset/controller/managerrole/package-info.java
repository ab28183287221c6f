/** Keeps the controller's permissions in a namespace until the sets there are gone. */
@NullMarked
package dev.runnerset.controller.managerrole;

import org.jspecify.annotations.NullMarked;
