/** From template to pod (RN3). Pure. */
@NullMarked
package dev.runnerset.controller.podspec;

import org.jspecify.annotations.NullMarked;
