/** The listener as a program: its threads, its wiring, its command line. */
@NullMarked
package dev.runnerset.listener.main;

import org.jspecify.annotations.NullMarked;
