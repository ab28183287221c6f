/** What keeps a node from being emptied under a job, and lets it go when there is none. */
@NullMarked
package dev.runnerset.controller.features.shield;

import org.jspecify.annotations.NullMarked;
