package dev.runnerset.controller.ephemeralrunner.lifecycle;

import org.jspecify.annotations.Nullable;

/**
 * A pod that says it runs another registration than the one its runner is known by: nobody can tell
 * what it runs, so the runner is not used. Pure.
 */
public final class RegistrationMismatch {
  private RegistrationMismatch() {}

  /** The sentence that tells of it, or null where both are the same or one is not known. */
  public static @Nullable String between(PodView pod, @Nullable Long known) {
    var runs = pod.runnerId();
    return runs == null || known == null || runs.equals(known)
        ? null
        : "its pod runs registration " + runs + ", but the runner was registered as " + known;
  }
}
