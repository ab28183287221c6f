/** What a parent's status says of its children: references, or the deprecated full form. */
@NullMarked
package dev.runnerset.controller.features.references;

import org.jspecify.annotations.NullMarked;
