package dev.runnerset.actions.http;

import java.net.URI;
import java.time.Instant;

/**
 * Where the service of one scope is, and the right to call it (protocol 1.6). Secret: the token is
 * never printed.
 *
 * @param expiresAt as the token itself says
 */
record AdminConnection(URI url, String token, Instant expiresAt) {
  @Override
  public String toString() {
    return "AdminConnection[" + url.getHost() + ", expires " + expiresAt + ", hidden]";
  }
}
