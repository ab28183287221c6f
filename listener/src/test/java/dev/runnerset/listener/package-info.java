/** What holds for the whole module. */
@NullMarked
package dev.runnerset.listener;

import org.jspecify.annotations.NullMarked;
