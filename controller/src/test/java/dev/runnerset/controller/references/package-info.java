/** Tests of references, the full form, ownership and the library that resolves references. */
@NullMarked
package dev.runnerset.controller.references;

import org.jspecify.annotations.NullMarked;
