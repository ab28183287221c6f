/** What a failed runner leaves behind for people. */
@NullMarked
package dev.runnerset.controller.features.evidence;

import org.jspecify.annotations.NullMarked;
