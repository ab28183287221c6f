/** What a deployment needs besides the CRDs, as YAML. */
@NullMarked
package dev.runnerset.controller.manifests;

import org.jspecify.annotations.NullMarked;
