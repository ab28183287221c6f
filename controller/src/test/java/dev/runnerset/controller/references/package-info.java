/** Tests of references, of the full form and of the library that resolves references. */
@NullMarked
package dev.runnerset.controller.references;

import org.jspecify.annotations.NullMarked;
