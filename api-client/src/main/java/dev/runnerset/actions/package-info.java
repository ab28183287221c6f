/**
 * The Actions service as the product sees it: scale sets, runners, message sessions
 * (docs/protocol.md). Knows no Kubernetes and no HTTP library.
 */
@NullMarked
package dev.runnerset.actions;

import org.jspecify.annotations.NullMarked;
