/** Tests of references, of the full form and of the library that resolves references. */
@NullMarked
package dev.runnerset.controller.features.references;

import org.jspecify.annotations.NullMarked;
