/** What is left without its other half: a periodic sweep in both directions (RN20). */
@NullMarked
package dev.runnerset.controller.sweep;

import org.jspecify.annotations.NullMarked;
