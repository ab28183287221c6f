/**
 * The Actions service over HTTP: requests, retry rules, error decoding; the one place for OkHttp,
 * Jackson databind and resilience4j.
 */
@NullMarked
package dev.runnerset.actions.http;

import org.jspecify.annotations.NullMarked;
