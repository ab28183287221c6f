/**
 * One set's message session: take over, connect, poll, apply, acknowledge (SF1). Knows Kubernetes
 * and time by the interfaces of its package {@code context} only.
 */
@NullMarked
package dev.runnerset.listener.session;

import org.jspecify.annotations.NullMarked;
