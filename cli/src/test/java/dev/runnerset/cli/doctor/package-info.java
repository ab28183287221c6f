/** What the doctor finds, in tables and against the in-process API server. */
package dev.runnerset.cli.doctor;
