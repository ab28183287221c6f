/** From template to pod (design section 3, The runner's pod). Pure. */
@NullMarked
package dev.runnerset.controller.podspec;

import org.jspecify.annotations.NullMarked;
