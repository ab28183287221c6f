/** Tests of the rules for finished runners. */
@NullMarked
package dev.runnerset.controller.retention.rules;

import org.jspecify.annotations.NullMarked;
