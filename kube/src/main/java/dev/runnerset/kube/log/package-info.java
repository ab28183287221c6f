/** How the programs lay out their log. */
@NullMarked
package dev.runnerset.kube.log;

import org.jspecify.annotations.NullMarked;
