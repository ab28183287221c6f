package dev.runnerset.controller.autoscalingrunnerset.planning;

import java.time.Duration;

/** The times of the deletion of a set. */
public final class DeletionTimes {
  /** How long a scale set waits for its registrations to end or for credentials (DL3). */
  public static final Duration REGISTRATIONS_AWAITED = Duration.ofSeconds(60);

  /** A session of our own whose listener died lasts 90 s (protocol 4.7); so no shorter (DL3). */
  public static final Duration SESSION_AWAITED = Duration.ofSeconds(120);

  /** How long the set waits for credentials before it leaves registrations behind (DL7). */
  public static final Duration CREDENTIALS_AWAITED = Duration.ofMinutes(5);

  /** How often the set lists the pods of the namespace meanwhile (DL7). */
  public static final Duration PODS_LISTED_EVERY = Duration.ofSeconds(10);

  /** How often the service is asked while it accepts the calls (DL7). */
  public static final Duration PROBED_EVERY = Duration.ofMinutes(1);

  /** How often the service is asked while it does not accept them (DL7). */
  public static final Duration PROBED_EVERY_WITH_PROBLEM = Duration.ofSeconds(15);

  /** How long the last step is tried that no role allows, before it is left out (DL8). */
  public static final Duration LONGEST_REFUSED = Duration.ofMinutes(5);

  /** How often runners are listed, to find the ones that somebody forces (RN12). */
  public static final Duration FORCED_LISTED_EVERY = Duration.ofSeconds(5);

  private DeletionTimes() {}
}
