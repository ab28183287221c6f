/**
 * A bundle for an issue: objects, events, logs, metrics and versions, without secrets, and a list
 * of what was taken out and of what could not be read.
 */
@NullMarked
package dev.runnerset.cli.report;

import org.jspecify.annotations.NullMarked;
