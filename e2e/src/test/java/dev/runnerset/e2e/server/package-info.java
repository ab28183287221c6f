/** What a real API server makes of kinds, kubeconfigs and secrets. */
@NullMarked
package dev.runnerset.e2e.server;

import org.jspecify.annotations.NullMarked;
