/** Which runner goes, and how it is removed: service first, resource second (design section 5). */
@NullMarked
package dev.runnerset.controller.removal;

import org.jspecify.annotations.NullMarked;
