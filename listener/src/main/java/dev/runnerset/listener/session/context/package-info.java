/**
 * What the loop of a session is given: its interfaces to Kubernetes, to polls and to time, the
 * values that go through them, and the failures that they report. Knows nothing of the loop.
 */
@NullMarked
package dev.runnerset.listener.session.context;

import org.jspecify.annotations.NullMarked;
