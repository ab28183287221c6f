package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Backoff;
import java.time.Duration;

/** The times of one runner. */
public final class EphemeralRunnerTimes {
  /** A pod that starts within this time gets one status write, when it runs (RN6, BG1). */
  public static final Duration EARLY_STATUS = Duration.ofSeconds(30);

  /**
   * The status says a problem after this time: many problems of a kubelet go by themselves (RN6).
   */
  public static final Duration PROBLEM_LASTS = Duration.ofSeconds(10);

  /** Volumes and network of a pod are there within seconds (RN6). */
  public static final Duration CREATING_LASTS = Duration.ofSeconds(20);

  /** The same, once volumes and network are there: an image may be large (RN6). */
  public static final Duration PULLING_LASTS = Duration.ofMinutes(2);

  /**
   * After this long without credentials the finalizer is removed all the same, unless the runner
   * may have a job: it must not block for ever (RN11).
   */
  public static final Duration LONGEST_WITHOUT_CREDENTIALS = Duration.ofSeconds(60);

  /**
   * How long a completion is awaited without the EphemeralRunnerSet. In a namespace that is being
   * deleted it goes first, as does the role by which the listener would tell of the completion
   * (RN11).
   */
  public static final Duration SETTLE_WITHOUT_SET = Duration.ofMillis(500);

  /** Between live reads of a pod that the cache does not show (RN5). */
  public static final Backoff POD_READS =
      Backoff.of(Duration.ofMillis(500), Duration.ofSeconds(60));

  private EphemeralRunnerTimes() {}
}
