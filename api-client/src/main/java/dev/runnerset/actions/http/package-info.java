/**
 * The Actions service over HTTP. {@link dev.runnerset.actions.http.ServiceSettings} says how to
 * reach it. Inside: credentials and what they are exchanged for, requests, retry rules, error
 * decoding; the one place for OkHttp, Jackson databind and resilience4j.
 */
@NullMarked
package dev.runnerset.actions.http;

import org.jspecify.annotations.NullMarked;
