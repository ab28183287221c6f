package dev.runnerset.controller.audit;

import dev.runnerset.base.Backoff;
import java.time.Duration;

/** The times of the comparison of the service's counts with the runners. */
public final class AuditTimes {
  /**
   * Runners that are not registered are reported after that; one connects within a few seconds
   * (RN7).
   */
  public static final Duration UNREGISTERED_AFTER = Duration.ofSeconds(20);

  /**
   * Older counts say nothing of now. While runners are missing the counts are read more often
   * (RN19).
   */
  public static final Duration FRESH = Duration.ofMinutes(1);

  /** A runner takes a job within a few seconds (RN19). */
  public static final Duration STRANDED_AFTER = Duration.ofSeconds(20);

  /**
   * Longer than a registration outlives its resource, and than a listing of runners is old (RN20).
   */
  public static final Duration KNOWN_FOR = Duration.ofMinutes(5);

  /** A runner connects within a few seconds after the start of its container (RN7). */
  public static final Duration FIRST_READ = Duration.ofSeconds(5);

  /**
   * Between readings while the service counts a runner that is not online, or a waiting job (RN7).
   */
  public static final Backoff READ_IN_DOUBT =
      Backoff.of(Duration.ofSeconds(5), Duration.ofSeconds(20));

  /** Between readings while the counts raise no doubt, but do not fit, or cannot be read (RN7). */
  public static final Backoff READ = Backoff.of(Duration.ofSeconds(5), Duration.ofMinutes(5));

  /** Between two readings for a sweep: nothing waits for them (RN20). */
  public static final Duration READ_FOR_SWEEP = Duration.ofMinutes(5);

  /** A start that ended without an answer may be carried out so much later (RN20). */
  public static final Duration CALM = Duration.ofMinutes(3);

  /**
   * Later counts must say the same: a runner that comes or goes shows here or there first (RN20).
   */
  public static final Duration CONFIRMED_AFTER = Duration.ofMinutes(2);

  /** Older counts trigger no search (RN20). */
  public static final Duration FRESH_FOR_SEARCH = Duration.ofMinutes(10);

  /** After a search: GitHub's API has limits, and what is not found is mostly not there (RN20). */
  public static final Backoff SEARCH = Backoff.of(Duration.ofMinutes(10), Duration.ofHours(6));

  /** A runner that is not connected so long after the start of its container is doubted (RN20). */
  public static final Duration ALL_ARE_ONLINE_AFTER = Duration.ofMinutes(2);

  private AuditTimes() {}
}
