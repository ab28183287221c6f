/** What ends pods elsewhere, and ends no job. */
package dev.runnerset.e2e.shield;
