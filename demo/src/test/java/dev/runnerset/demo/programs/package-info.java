/** Tests of the programs as processes. */
@NullMarked
package dev.runnerset.demo.programs;

import org.jspecify.annotations.NullMarked;
