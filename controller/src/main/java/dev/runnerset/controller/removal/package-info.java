/** Which runner goes, and how it is removed: service first, resource second (SD7). */
@NullMarked
package dev.runnerset.controller.removal;

import org.jspecify.annotations.NullMarked;
