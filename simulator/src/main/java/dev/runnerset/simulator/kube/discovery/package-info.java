/** What clients ask before they act: groups, kinds and OpenAPI schemas. */
@NullMarked
package dev.runnerset.simulator.kube.discovery;

import org.jspecify.annotations.NullMarked;
