/** The page's server, and the page itself in a real browser. */
package dev.runnerset.cli.ui;
