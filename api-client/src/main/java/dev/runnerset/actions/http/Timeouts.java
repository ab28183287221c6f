package dev.runnerset.actions.http;

import java.time.Duration;

/**
 * How long calls may take.
 *
 * @param connect until a connection stands, TLS not included
 * @param call one attempt of an ordinary call, from its start to the end of the body
 * @param whole one ordinary call with all its attempts and the wait for an admin token
 * @param pollRead silence during a long poll; more than the 50 s that the service waits
 * @param pollCall one long poll with its retries
 */
public record Timeouts(
    Duration connect, Duration call, Duration whole, Duration pollRead, Duration pollCall) {
  /** Polls return after 50 s (protocol 4.4); twice that and a little is the most they may take. */
  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofSeconds(20),
          Duration.ofSeconds(65),
          Duration.ofSeconds(110));

  /** Rejects times that are not positive, which an HTTP library would take for "for ever". */
  public Timeouts {
    for (var timeout : new Duration[] {connect, call, whole, pollRead, pollCall}) {
      if (!timeout.isPositive()) {
        throw new IllegalArgumentException("a timeout must be positive, not " + timeout);
      }
    }
  }
}
