/** Tests of the printed manifests. */
@NullMarked
package dev.runnerset.controller.manifests;

import org.jspecify.annotations.NullMarked;
