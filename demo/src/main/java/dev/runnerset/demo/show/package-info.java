/**
 * The demo with its page: the same programs and the same page, and buttons that break something.
 */
@NullMarked
package dev.runnerset.demo.show;

import org.jspecify.annotations.NullMarked;
