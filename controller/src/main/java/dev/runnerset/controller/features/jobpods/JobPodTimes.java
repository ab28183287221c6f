package dev.runnerset.controller.features.jobpods;

import java.time.Duration;

/** The times of what the container hooks make for a job. */
final class JobPodTimes {
  /** At the orderly end of a job the hooks delete everything themselves, before that (RN23). */
  static final Duration HOOKS_FIRST = Duration.ofSeconds(30);

  /** An object that cannot be deleted must not keep a role binding for ever (RN23, WR10). */
  static final Duration BINDING_NEEDED = Duration.ofMinutes(5);

  private JobPodTimes() {}
}
