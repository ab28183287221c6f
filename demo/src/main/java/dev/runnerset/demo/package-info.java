/** The demo: rehearses the real controller and listener against simulated or real surroundings. */
@NullMarked
package dev.runnerset.demo;

import org.jspecify.annotations.NullMarked;
