/** What a deployment needs besides images: namespaces, identities and roles, as YAML. */
@NullMarked
package dev.runnerset.controller.manifests;

import org.jspecify.annotations.NullMarked;
