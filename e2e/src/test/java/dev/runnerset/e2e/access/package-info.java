/** What each identity may do on a real API server. */
package dev.runnerset.e2e.access;
