/** Why something is as it is, in tables and against the in-process API server. */
package dev.runnerset.cli.why;
