/** What a report shows, and what it never shows. */
package dev.runnerset.cli.report;
