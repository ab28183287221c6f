/** Tests of the history, and a second ranking that shares nothing with the first. */
@NullMarked
package dev.runnerset.controller.features.history;

import org.jspecify.annotations.NullMarked;
