/** The commands as a person types them, against the in-process API server. */
package dev.runnerset.cli;
