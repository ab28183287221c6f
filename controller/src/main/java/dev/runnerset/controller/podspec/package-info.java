/** Makes the pod of a runner from a template (RN3). */
@NullMarked
@Pure
package dev.runnerset.controller.podspec;

import dev.runnerset.base.Pure;
import org.jspecify.annotations.NullMarked;
