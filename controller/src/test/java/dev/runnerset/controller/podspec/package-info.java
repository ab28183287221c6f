/** Tests of the pod. */
@NullMarked
package dev.runnerset.controller.podspec;

import org.jspecify.annotations.NullMarked;
