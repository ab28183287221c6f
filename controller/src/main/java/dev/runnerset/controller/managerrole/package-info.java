/**
 * The role by which the controller works in a namespace: kept until the sets there are gone, and
 * what to do where it is missing.
 */
@NullMarked
package dev.runnerset.controller.managerrole;

import org.jspecify.annotations.NullMarked;
