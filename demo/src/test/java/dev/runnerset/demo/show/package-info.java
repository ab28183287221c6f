/** The demo with its page, in a real browser. */
package dev.runnerset.demo.show;
