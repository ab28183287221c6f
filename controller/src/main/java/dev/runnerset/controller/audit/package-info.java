/**
 * The audit of registrations: what the service counts of a scale set against the runners that stand
 * here. It finds runners that are not online (RN7), jobs that no runner takes (RN19), and what is
 * left without its other half (RN20).
 */
@NullMarked
package dev.runnerset.controller.audit;

import org.jspecify.annotations.NullMarked;
