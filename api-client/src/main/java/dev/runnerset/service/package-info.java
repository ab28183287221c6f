/**
 * The Actions service as the product sees it: scale sets, runners, message sessions (protocol in
 * the design's references). Knows no Kubernetes and no HTTP library.
 */
@NullMarked
package dev.runnerset.service;

import org.jspecify.annotations.NullMarked;
