/** What a rehearsal measured, and how it is shown. */
@NullMarked
package dev.runnerset.demo.figures;

import org.jspecify.annotations.NullMarked;
