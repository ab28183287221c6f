/**
 * One set's message session: take over, connect, poll, apply, acknowledge (design section 7). Knows
 * Kubernetes and time by its own interfaces only.
 */
@NullMarked
package dev.runnerset.listener.session;

import org.jspecify.annotations.NullMarked;
