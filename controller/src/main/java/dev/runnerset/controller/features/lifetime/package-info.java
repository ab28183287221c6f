/** Idle runners that are replaced before their pod has little time left. */
@NullMarked
package dev.runnerset.controller.features.lifetime;

import org.jspecify.annotations.NullMarked;
