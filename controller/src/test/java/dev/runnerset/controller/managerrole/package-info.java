/** Tests of the controller's permissions in a namespace of sets. */
@NullMarked
package dev.runnerset.controller.managerrole;

import org.jspecify.annotations.NullMarked;
