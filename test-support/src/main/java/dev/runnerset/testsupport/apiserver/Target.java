package dev.runnerset.testsupport.apiserver;

import java.net.URI;
import java.net.http.HttpClient;
import org.jspecify.annotations.Nullable;

/**
 * The server under test.
 *
 * @param base without a path; with or without a slash at its end
 * @param client trusts the server, and carries a client certificate if that is how to log in
 * @param token bearer token of a cluster administrator; null for none
 * @param namespace exists, is empty, and is the cases' own
 */
public record Target(URI base, HttpClient client, @Nullable String token, String namespace) {
  public Target {
    base = URI.create(base.toString().replaceAll("/+$", ""));
  }

  @Override
  public String toString() {
    return "Target[" + base + ", " + namespace + "]"; // no token
  }
}
