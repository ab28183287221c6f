/**
 * Whether an installation and its sets are as they must be. What decides is pure; only the reader
 * asks the cluster, and the service where a person wants that.
 */
@NullMarked
package dev.runnerset.cli.doctor;

import org.jspecify.annotations.NullMarked;
