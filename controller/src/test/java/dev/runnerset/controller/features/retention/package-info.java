/** Tests of the deletion of finished runners. */
@NullMarked
package dev.runnerset.controller.features.retention;

import org.jspecify.annotations.NullMarked;
