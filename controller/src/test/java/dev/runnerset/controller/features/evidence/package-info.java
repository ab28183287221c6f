/** Tests of the black box of a failed runner. */
@NullMarked
package dev.runnerset.controller.features.evidence;

import org.jspecify.annotations.NullMarked;
